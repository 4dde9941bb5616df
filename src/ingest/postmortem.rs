//! What the library adds to the draft of a postmortem: its languages, where the page is from, suggested terms.

use std::collections::BTreeMap;

use serde_json::Value;

use super::About;
use crate::extract::{Claim, Draft, Evidence, Story};
use crate::finding::{Finding, Level, Pointer};
use crate::library::Library;
use crate::model::{LanguageTag, PageKind};
use crate::normalize::{human_archive_form, original_address, source_kind};
use crate::vocabulary::{Kind, Lookup};

/// Suggested terms with a lower score are not filled in.
const LEAST: f64 = 0.5;

/// Takes out the texts in a language that the library does not keep, and says how many wait for a translator.
pub(super) fn keep_languages(draft: &mut Draft, library: &Library) -> Option<Finding> {
    let language = draft.language.clone()?;
    let kept = |tag: &LanguageTag| {
        let mut languages = library.settings.policy.languages.iter();
        languages.find(|l| l.primary() == tag.primary()).cloned()
    };
    if let Some(tag) = kept(&language) {
        if tag != language {
            for claim in &mut draft.claims {
                claim.pointer = in_language(&claim.pointer, &language, &tag);
            }
        }
        return None;
    }
    let is_text =
        |claim: &Claim| claim.pointer.tokens().last().as_deref() == Some(language.as_str());
    let texts = draft.claims.iter().filter(|c| is_text(c)).count();
    draft.claims.retain(|c| !is_text(c));
    let languages: Vec<&str> = library
        .settings
        .policy
        .languages
        .iter()
        .map(LanguageTag::as_str)
        .collect();
    let message = format!(
        "the page is written in `{language}` and the library keeps {}: {texts} of its texts wait for a translator",
        languages.join(" and ")
    );
    let finding = Finding::new("text-to-translate", Level::Note, &draft.file, message);
    (texts > 0).then(|| finding.help(format!("`incidentlib extract {}` prints them", draft.file)))
}

fn in_language(pointer: &Pointer, from: &LanguageTag, to: &LanguageTag) -> Pointer {
    let tokens: Vec<String> = pointer.tokens().collect();
    let mut out = Pointer::default();
    for (i, token) in tokens.iter().enumerate() {
        let last = i + 1 == tokens.len();
        let token = if last && token == from.as_str() {
            to.as_str()
        } else {
            token
        };
        out = out.child(token);
    }
    out
}

/// Claims the source that the page is: the address it was saved from, or the one it gives itself; of an archived copy
/// the original and the copy.
pub(super) fn claim_source(draft: &mut Draft, story: &Story, about: About, library: &Library) {
    let url = about.url;
    let at = |name: &str| Pointer::new(format!("/sources/0/{name}"));
    let own = draft.claims.iter().position(|c| c.pointer == at("url"));
    let claimed = own.map(|i| draft.claims.remove(i));
    let by_page = claimed.as_ref().and_then(|c| c.value.as_str());
    let Some(address) = url.or(by_page).map(str::to_owned) else {
        return;
    };
    let evidence = match &claimed {
        Some(claim) if url.is_none() => claim.evidence.clone(),
        _ => Evidence {
            file: manifest_beside(&draft.file),
            span: 0..0,
            position: None,
            quote: address.clone(),
            extractor: PageKind::Postmortem,
        },
    };
    let from_manifest = "the manifest says that the page was saved from there";
    let mut add = |name: &str, value: &str, why: Option<String>| {
        draft.claims.push(Claim {
            pointer: at(name),
            value: Value::String(value.to_owned()),
            evidence: evidence.clone(),
            derivation: why,
        });
    };
    let original = original_address(&address).unwrap_or(&address);
    let saved = url.is_some().then(|| from_manifest.to_owned());
    add("url", original, saved);
    let org = story.org.as_ref().map(|o| o.value.as_str());
    if let Some(kind) = about.source_kind {
        add("kind", kind, Some("a curator said so".to_owned()));
    } else if let Some((kind, why)) = source_kind(original, org, &library.lexicon.organisations) {
        add("kind", kind, Some(why));
    }
    if let Some(copy) = human_archive_form(&address) {
        add(
            "archived",
            &copy,
            Some("the page was saved from this copy".to_owned()),
        );
    }
}

/// The manifest of the folder that a raw page lies in: it tells where the page was saved from.
fn manifest_beside(file: &str) -> String {
    match file.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/sources.json"),
        None => "sources.json".to_owned(),
    }
}

/// Turns the likelier suggestions into claims, for a curator who asked for them.
pub(super) fn claim_terms(draft: &mut Draft, story: &Story, library: &Library) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for suggestion in story.suggestions.iter().filter(|s| s.score >= LEAST) {
        let field = Pointer::default().child(suggestion.field);
        let pointer = if suggestion.field == "root_cause" {
            field
        } else {
            let index = counts.entry(suggestion.field).or_default();
            *index += 1;
            field.child(*index - 1)
        };
        draft.claims.push(Claim {
            pointer,
            value: Value::String(suggestion.term.clone()),
            evidence: suggestion.evidence.clone(),
            derivation: Some(format!(
                "the page names it, with a score of {}",
                suggestion.score
            )),
        });
    }
    // A severity in the words of another scale is for a person to read.
    let known = |value: &str| {
        matches!(
            library.lexicon.vocabulary.lookup(Kind::Severity, value),
            Lookup::Term(_)
        )
    };
    if let Some(severity) = story.severity.as_ref().filter(|s| known(&s.value)) {
        draft.claims.push(Claim {
            pointer: Pointer::new("/severity"),
            value: Value::String(severity.value.clone()),
            evidence: severity.evidence.clone(),
            derivation: None,
        });
    }
}
