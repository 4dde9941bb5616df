//! A new, empty library.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::error::Error;
use super::settings::{SETTINGS_FILE, Settings};
use crate::check::case_schema_for;
use crate::model::print_json;
use crate::vocabulary::{BUILTIN_FILES, builtin_vocabulary};

/// Makes a library in `folder`, which must be empty or not be there: settings with this id prefix and
/// these languages, schema, vocabulary, languages, and the folders for records and pages. Returns the
/// files it wrote.
pub fn init(folder: &Path, id_prefix: &str, languages: &[String]) -> Result<Vec<String>, Error> {
    let settings = settings_text(id_prefix, languages);
    let parsed = Settings::parse(&settings).map_err(|e| {
        Error::usage(
            e,
            "for example `incidentlib init --prefix CASE --languages en,ko DIR`",
        )
    })?;
    let occupied = folder.is_dir()
        && fs::read_dir(folder)
            .map_err(|e| Error::read(folder, e))?
            .any(|e| e.is_ok_and(|e| e.file_name() != ".git"));
    if occupied {
        let message = format!("{} is not empty", folder.display());
        return Err(Error::usage(
            message,
            "name a new folder, so that nothing of yours is written over",
        ));
    }
    let mut files = vec![(SETTINGS_FILE.to_owned(), settings)];
    for (path, text) in BUILTIN_FILES {
        let text = match path {
            "schema/case.schema.json" => {
                let document: Value = serde_json::from_str(text).unwrap_or_default();
                let policy = &parsed.policy;
                print_json(&case_schema_for(
                    &document,
                    &builtin_vocabulary(),
                    &policy.languages,
                    &policy.id_prefix,
                ))
            }
            _ => text.to_owned(),
        };
        files.push((path.to_owned(), text));
    }
    for kept in ["raw/.gitkeep", "normalized/.gitkeep"] {
        files.push((kept.to_owned(), String::new()));
    }
    for (path, text) in &files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|e| Error::write(parent, e))?;
        fs::write(&path, text).map_err(|e| Error::write(&path, e))?;
    }
    Ok(files.into_iter().map(|(path, _)| path).collect())
}

fn settings_text(id_prefix: &str, languages: &[String]) -> String {
    let languages: Vec<String> = languages.iter().map(|l| format!("\"{l}\"")).collect();
    format!(
        r#"# Settings of this library of incident cases. `incidentlib --help` lists what can be done with it.

[library]
# Case ids are the prefix, a hyphen and at least so many digits: {id_prefix}-0001.
id_prefix = "{id_prefix}"
id_width = 4
# Every text of a record must be there in each of these.
languages = [{}]
# Where the case pages are published, if anywhere.
# base_url = "https://example.org/cases"

[review]
# Who may sign a review, as the records name them. Nobody reviews their own text.
reviewers = []

# One spelling for each organisation; pages may use the others.
# [organisations]
# "Amazon Web Services" = ["AWS"]

# Levels that differ from the rules' own: error, warning, note or off.
# [rules]
# archive-missing = "warning"

# A reasoned exception to a rule for one record. It must hide something, and it ends.
# [[waiver]]
# rule = "duplicate-source"
# case = "{id_prefix}-0001"
# reason = "the page tells two incidents"
# until = "2027-12-31"
"#,
        languages.join(", ")
    )
}
