//! The library on disk: found from any folder below it, loaded whole, changed all at once or not at all.

mod disk;
mod error;
mod history;
mod init;
mod ledger;
mod load;
mod revision;
mod settings;
mod store;

pub use error::{Error, ErrorKind};
pub use history::changed_since;
pub use init::init;
pub use ledger::{LEDGER_FILE, Ledger};
pub use revision::{Base, Checkout, base_of, prefix_in_repository};
pub use settings::{ArchiveSettings, SETTINGS_FILE, Settings};
pub use store::{Change, Writer};

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::check::{Schemas, case_schema_for};
use crate::extract::Lexicon;
use crate::vocabulary::{
    BUILTIN_FILES, Language, Languages, OrganisationList, Organisations, TermList, Vocabulary,
};

/// An open library: where it is, how it is set up, what it reads by.
pub struct Library {
    /// The folder that holds `incidentlib.toml`, without symbolic links.
    pub root: PathBuf,
    /// Its settings.
    pub settings: Settings,
    /// Its terms and words: its own, or the compiled-in ones where it has none.
    pub lexicon: Lexicon,
    /// Its compiled schemas.
    pub schemas: Schemas,
    case_schema: Value,
}

impl Library {
    /// Finds the library that `start` lies in and opens it.
    pub fn discover(start: &Path) -> Result<Self, Error> {
        let start = start.canonicalize().map_err(|e| Error::read(start, e))?;
        let root = start
            .ancestors()
            .find(|folder| folder.join(SETTINGS_FILE).is_file())
            .ok_or_else(|| Error::no_library(&start))?;
        Self::open(root)
    }

    /// Opens the library in `root`.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let root = root.canonicalize().map_err(|e| Error::read(root, e))?;
        let settings_file = root.join(SETTINGS_FILE);
        let text = disk::read_text(&settings_file)?;
        let settings = Settings::parse(&text).map_err(|e| Error::data(&settings_file, e))?;
        let lexicon = Lexicon::new(
            vocabulary_of(&root)?,
            languages_of(&root)?,
            Organisations::merged(data_files::<OrganisationList>(
                &root,
                "schema/organisation",
            )?),
        );
        let case_schema = schema_of(&root, "schema/case.schema.json")?;
        let sources_schema = schema_of(&root, "schema/sources.schema.json")?;
        let schemas = Schemas::compile(case_schema.clone(), sources_schema)
            .map_err(|e| Error::data(&root.join("schema"), e))?;
        Ok(Self {
            root,
            settings,
            lexicon,
            schemas,
            case_schema,
        })
    }

    /// The case schema as it should be: this library's document with its terms and languages in it.
    pub fn derived_case_schema(&self) -> Value {
        case_schema_for(
            &self.case_schema,
            &self.lexicon.vocabulary,
            &self.settings.policy.languages,
            &self.settings.policy.id_prefix,
        )
    }

    /// Whether this library carries its own case schema, so that it can be out of step.
    pub fn has_own_case_schema(&self) -> bool {
        self.root.join("schema/case.schema.json").is_file()
    }

    /// A path below the library as findings name it: relative, with `/`.
    pub fn relative(&self, path: &Path) -> Option<String> {
        let path = path.strip_prefix(&self.root).ok()?;
        let parts: Option<Vec<&str>> = path.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }
}

fn builtin(path: &str) -> &'static str {
    BUILTIN_FILES
        .iter()
        .find(|(name, _)| *name == path)
        .map_or("", |(_, text)| text)
}

fn schema_of(root: &Path, path: &str) -> Result<Value, Error> {
    let file = root.join(path);
    let text = if file.is_file() {
        disk::read_text(&file)?
    } else {
        builtin(path).to_owned()
    };
    serde_json::from_str(&text).map_err(|e| Error::data(&file, e.to_string()))
}

fn vocabulary_of(root: &Path) -> Result<Vocabulary, Error> {
    let lists: Vec<TermList> = data_files(root, "schema/vocabulary")?;
    Ok(Vocabulary::new(lists))
}

fn languages_of(root: &Path) -> Result<Languages, Error> {
    let languages: Vec<Language> = data_files(root, "schema/language")?;
    Ok(Languages::new(languages))
}

/// The JSON files of a schema folder: the library's own where it has the folder, else the
/// compiled-in ones.
fn data_files<T: serde::de::DeserializeOwned>(root: &Path, folder: &str) -> Result<Vec<T>, Error> {
    let own = root.join(folder);
    let mut texts = Vec::new();
    if own.is_dir() {
        for name in disk::list(&own)?
            .into_iter()
            .filter(|n| n.ends_with(".json"))
        {
            let file = own.join(name);
            texts.push((file.clone(), disk::read_text(&file)?));
        }
    } else {
        let below = BUILTIN_FILES
            .iter()
            .filter(|(path, _)| path.starts_with(folder));
        texts.extend(below.map(|(path, text)| (root.join(path), (*text).to_owned())));
    }
    let parse = |(file, text): (PathBuf, String)| {
        serde_json::from_str(&text).map_err(|e| Error::data(&file, e.to_string()))
    };
    texts.into_iter().map(parse).collect()
}
