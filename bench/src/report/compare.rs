//! This result beside an earlier one.

use std::fmt::Write as _;

use super::table::rows;
use super::{Report, table::Row};
use crate::Result;

/// Rows that both have: the time now as a multiple of the time then; and the same of the ratio to the case's
/// first contestant, which a slower day of the machine does not change.
pub(crate) fn text(now: &Report, then: &Report) -> Result<String> {
    if now.bench != then.bench {
        return Err(format!("{} cannot be compared with {}", now.bench, then.bench).into());
    }
    let mut text =
        format!("against {} on {}{}:\n\n", then.date, then.machine, if then.quick { " (quick)" } else { "" });
    let old = rows(then);
    let mut found = false;
    for row in rows(now) {
        let same = |old: &&Row| old.case == row.case && old.contestant == row.contestant;
        let Some(old) = old.iter().find(same) else { continue };
        let Some((time, ratio)) = change(&row, old) else { continue };
        found = true;
        let name = format!("{}, {}", row.case, row.contestant);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {name:<58} time × {time:.2}, ratio to the first × {ratio:.2}");
    }
    if !found {
        text.push_str("  no row is in both\n");
    }
    Ok(text)
}

fn change(now: &Row, then: &Row) -> Option<(f64, f64)> {
    let ratio = now.ratio.as_ref()?.0 / then.ratio.as_ref()?.0;
    Some((now.min? / then.min?, ratio))
}

#[cfg(test)]
mod tests {
    use super::super::Measurement;
    use super::*;

    fn report(bench: &str, slower: f64) -> Report {
        let measured = |who: &str, min: f64| {
            let mut one = Measurement::new("job", who, "x");
            one.min = Some(min);
            one
        };
        let measurements = vec![measured("peer", 2.0 * slower), measured("own", 4.0)];
        let (date, machine) = ("2026-01-31".into(), "a machine".into());
        Report { bench: bench.into(), quick: false, date, machine, load: None, measurements }
    }

    #[test]
    fn times_and_ratios_are_told_apart() {
        let text = text(&report("decode", 2.0), &report("decode", 1.0)).unwrap();
        let line = |who: &str| text.lines().find(|line| line.contains(who)).unwrap().to_owned();
        assert!(line("peer").ends_with("time × 2.00, ratio to the first × 1.00"), "{text}");
        assert!(line("own").ends_with("time × 1.00, ratio to the first × 0.50"), "{text}");
    }

    #[test]
    fn other_benches_are_refused() {
        let error = text(&report("decode", 1.0), &report("encode", 1.0)).unwrap_err();
        assert_eq!(error.to_string(), "decode cannot be compared with encode");
    }
}
