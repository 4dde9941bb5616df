//! `incidentlib show`

use std::fmt::Write as _;

use super::{Format, Global, Outcome, console};
use crate::check::Context;
use crate::extract::Lexicon;
use crate::library::Error;
use crate::model::{Case, CaseId, LanguageTag, Localized, ReviewState, Step};
use crate::output::{styled, visible};
use crate::read::RecordFile;
use crate::vocabulary::Kind;

const EXAMPLES: &str = "\
Examples:
  incidentlib show IL-0535
  incidentlib show IL-0535 --lang ko | less
  incidentlib show IL-0535 --format json | jq .timeline";

/// Show one case to a reader
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The case
    id: CaseId,
    /// The language of texts, labels and terms
    #[arg(long, default_value = "en")]
    lang: LanguageTag,
    /// Text for people, or the record as it is
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

pub(super) fn run(args: &Args, global: &Global) -> Result<Outcome, Error> {
    let library = global.open()?;
    let snapshot = library.load_records()?;
    let cx = global.context(&library, &snapshot);
    let successor = snapshot.retired.successor(&args.id);
    if let Some(id) = successor {
        console::say(&format!("{} is {id} now", args.id));
    }
    let record = find(successor.unwrap_or(&args.id), &cx)?;
    match args.format {
        Format::Json => console::print(&record.case.print())?,
        Format::Text => {
            let state = ReviewState::of(&record.case, &library.settings.policy.reviewers);
            let view = View {
                language: &args.lang,
                lexicon: &library.lexicon,
            };
            if let Some(why) = snapshot.retired.withdrawn(&args.id) {
                console::print(&format!("Withdrawn: {}\n\n", visible(why)))?;
            }
            console::print(&view.page(&record.case, state))?;
        }
    }
    Ok(Outcome::Clean)
}

/// The record of a case, or an error that offers a near one.
pub(super) fn find<'a>(id: &CaseId, cx: &Context<'a>) -> Result<&'a RecordFile, Error> {
    cx.record(id).ok_or_else(|| match cx.successor(id) {
        Some(end) => Error::usage(format!("`{id}` is `{end}` now"), format!("say `{end}`")),
        None => Error::usage(
            format!("there is no case `{id}` in this library"),
            "`incidentlib list` shows all cases",
        ),
    })
}

struct View<'a> {
    language: &'a LanguageTag,
    lexicon: &'a Lexicon,
}

impl View<'_> {
    fn page(&self, case: &Case, state: ReviewState) -> String {
        let bold = anstyle::Style::new().effects(anstyle::Effects::BOLD);
        let mut out = String::new();
        let id = case.id.as_ref().map_or(String::new(), ToString::to_string);
        let date = case
            .date
            .as_ref()
            .map_or("–".to_owned(), ToString::to_string);
        let _ = writeln!(
            out,
            "{id}  {} · {date}  [{}]",
            visible(case.org.as_deref().unwrap_or("–")),
            state.as_str()
        );
        let title = case
            .title
            .as_ref()
            .and_then(|t| self.text(t))
            .unwrap_or_else(|| "–".to_owned());
        let _ = writeln!(out, "{}\n", styled(bold, title));
        self.terms(&mut out, "domain", case.domain.iter());
        self.terms(&mut out, "severity", case.severity.iter());
        self.terms(&mut out, "root_cause", case.root_cause.iter());
        self.terms(&mut out, "contributing", case.contributing.iter());
        self.terms(&mut out, "components", case.components.iter());
        self.terms(&mut out, "symptoms", case.symptoms.iter());
        let (impact, timeline) = (&case.impact, &case.timeline);
        self.line(&mut out, "impact/scope", impact.scope.as_deref());
        self.line(&mut out, "impact/users", impact.users.as_deref());
        self.line(&mut out, "impact/region", impact.region.as_deref());
        self.line(
            &mut out,
            "timeline/detected_after",
            timeline.detected_after.map(|d| d.to_string()).as_deref(),
        );
        self.line(
            &mut out,
            "timeline/resolved_after",
            timeline.resolved_after.map(|d| d.to_string()).as_deref(),
        );
        let texts = case.texts();
        for (field, text) in &texts[1..] {
            if let Some(text) = text.and_then(|t| self.text(t)) {
                let _ = writeln!(out, "\n{}\n{text}", styled(bold, self.label(field)));
                if *field == "detection" {
                    self.steps(&mut out, "remediation", &case.remediation);
                    self.steps(&mut out, "action_items", &case.action_items);
                }
            } else if *field == "detection" {
                self.steps(&mut out, "remediation", &case.remediation);
                self.steps(&mut out, "action_items", &case.action_items);
            }
        }
        let _ = writeln!(out, "\n{}", styled(bold, self.label("sources")));
        for source in &case.sources {
            let kind = source
                .kind
                .as_ref()
                .map_or("–", |k| self.term(Kind::SourceKind, k.as_str()));
            let _ = writeln!(
                out,
                "- {} · {kind}",
                visible(source.url.as_deref().unwrap_or("–"))
            );
            if let Some(archived) = &source.archived {
                let _ = writeln!(out, "  {}", visible(archived));
            }
        }
        out
    }

    /// The text in the language asked for, or in the first that has one.
    fn text(&self, text: &Localized) -> Option<String> {
        let words = text
            .text(self.language)
            .or_else(|| text.iter().next().map(|(_, words)| words));
        words.map(visible)
    }

    /// The label of a field in the language asked for, as case pages write it.
    fn label(&self, field: &str) -> String {
        let language = self.lexicon.languages.find(self.language.primary());
        let words = language.and_then(|l| l.case_page.as_ref()?.labels.get(field));
        words
            .and_then(|w| w.first())
            .map_or_else(|| field.to_owned(), Clone::clone)
    }

    fn term<'t>(&'t self, kind: Kind, slug: &'t str) -> &'t str {
        let term = self.lexicon.vocabulary.term(kind, slug);
        term.map_or(slug, |t| t.label_in(self.language.primary()))
    }

    fn terms<'t>(
        &self,
        out: &mut String,
        field: &str,
        terms: impl Iterator<Item = &'t crate::model::Term>,
    ) {
        let Some(kind) = Kind::of_field(field) else {
            return;
        };
        let labels: Vec<&str> = terms.map(|t| self.term(kind, t.as_str())).collect();
        self.line(
            out,
            field,
            Some(labels.join(", ").as_str()).filter(|l| !l.is_empty()),
        );
    }

    fn line(&self, out: &mut String, field: &str, value: Option<&str>) {
        let _ = writeln!(
            out,
            "{}: {}",
            self.label(field),
            visible(value.unwrap_or("–"))
        );
    }

    fn steps(&self, out: &mut String, field: &str, steps: &[Step]) {
        if steps.is_empty() {
            return;
        }
        let bold = anstyle::Style::new().effects(anstyle::Effects::BOLD);
        let _ = writeln!(out, "\n{}", styled(bold, self.label(field)));
        for step in steps {
            let _ = writeln!(
                out,
                "- {}",
                self.text(&step.text).unwrap_or_else(|| "–".to_owned())
            );
        }
    }
}
