//! The README's section of a bench: what stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`.

use std::fs;
use std::path::Path;

use super::{Report, table};
use crate::Result;

/// Puts the report in the place of what stands there.
pub(crate) fn update(path: &Path, report: &Report) -> Result<()> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = replace(&text, report)?;
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(())
}

fn replace(text: &str, report: &Report) -> Result<String> {
    let name = &report.bench;
    let (open, close) = (format!("<!-- bench:{name} -->"), format!("<!-- /bench:{name} -->"));
    let missing = || format!("the README has no {open} … {close} to put this between");
    let (before, rest) = text.split_once(&open).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&close).ok_or_else(missing)?;
    let load = report.load.map(|load| format!(", load {load:.1}")).unwrap_or_default();
    let about = format!("**`{name}`**, {}, {}{load}. {}", report.date, report.machine, report.about());
    Ok(format!("{before}{open}\n{about}\n\n{}{close}{after}", table::markdown(report)))
}

#[cfg(test)]
mod tests {
    use super::super::Measurement;
    use super::*;

    #[test]
    fn only_its_own_section_changes() {
        let report = Report {
            bench: "resize".into(),
            quick: false,
            date: "2026-01-31".into(),
            machine: "a machine".into(),
            load: Some(0.5),
            measurements: vec![Measurement::new("job", "someone", "x")],
        };
        let text = "a\n<!-- bench:resize -->\nold\n<!-- /bench:resize -->\nb\n<!-- bench:encode --><!-- /bench:encode -->";
        let new = replace(text, &report).unwrap();
        assert!(
            new.starts_with("a\n<!-- bench:resize -->\n**`resize`**, 2026-01-31, a machine, load 0.5. "),
            "{new}"
        );
        assert!(
            new.ends_with("|\n<!-- /bench:resize -->\nb\n<!-- bench:encode --><!-- /bench:encode -->"),
            "{new}"
        );
        assert!(new.contains("someone") && !new.contains("old"), "{new}");
        assert!(replace("nothing", &report).unwrap_err().to_string().contains("<!-- bench:resize -->"));
    }
}
