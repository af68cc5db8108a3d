//! The table: a row for each contestant at each case, over all pictures.

use std::fmt::Write as _;

use super::{Measurement, Report};

/// A row's numbers.
#[derive(Debug, PartialEq)]
pub(super) struct Row {
    pub case: String,
    pub contestant: String,
    /// Geometric means over the pictures.
    pub min: Option<f64>,
    pub median: Option<f64>,
    pub per_second: Option<f64>,
    pub memory: Option<f64>,
    /// Time as a multiple of the first contestant's, over the pictures that both did: the geometric mean, the
    /// largest, and the picture that has it.
    pub ratio: Option<(f64, f64, String)>,
    /// Arithmetic means over the pictures.
    pub bytes: Option<f64>,
    pub ssimulacra2: Option<f64>,
    /// The lowest likeness, and the picture that has it.
    pub worst: Option<(f64, String)>,
}

/// The rows, in the order in which the measurements name them.
pub(super) fn rows(report: &Report) -> Vec<Row> {
    let mut keys: Vec<(&str, &str)> = Vec::new();
    for one in &report.measurements {
        let key = (one.case.as_str(), one.contestant.as_str());
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    // A case's rows stand together, also where its contestants were met picture by picture.
    let mut cases: Vec<&str> = keys.iter().map(|key| key.0).collect();
    cases.dedup();
    keys.sort_by_key(|key| cases.iter().position(|case| *case == key.0));
    keys.iter().map(|key| row(report, *key, first_of(&keys, key.0))).collect()
}

/// As Markdown, padded so that it reads as text too. Columns that nobody fills are left out.
pub(super) fn markdown(report: &Report) -> String {
    let rows = rows(report);
    let unit = report.unit();
    let mut columns: Vec<(String, Vec<String>)> = Vec::new();
    let mut column = |name: &str, cell: &dyn Fn(&Row) -> Option<String>| {
        let cells: Vec<Option<String>> = rows.iter().map(cell).collect();
        if cells.iter().any(Option::is_some) {
            columns.push((name.into(), cells.into_iter().map(Option::unwrap_or_default).collect()));
        }
    };
    column("job", &|row| Some(row.case.clone()));
    column("by", &|row| Some(row.contestant.clone()));
    column(&format!("{unit}, best"), &|row| row.min.map(|n| format!("{n:.2}")));
    column("median", &|row| row.median.map(|n| format!("{n:.2}")));
    column("× first", &|row| row.ratio.as_ref().map(|ratio| format!("{:.2}", ratio.0)));
    column("at worst", &|row| {
        row.ratio
            .as_ref()
            .filter(|ratio| !ratio.2.is_empty())
            .map(|(_, worst, who)| format!("{worst:.2} {who}"))
    });
    column("requests/s", &|row| row.per_second.map(|n| format!("{n:.1}")));
    column("memory", &|row| row.memory.map(|n| format!("{:.0} MB", n / 1e6)));
    column("bytes", &|row| row.bytes.map(|n| format!("{n:.0}")));
    column("SSIMULACRA2", &|row| row.ssimulacra2.map(|n| format!("{n:.1}")));
    column("at worst", &|row| row.worst.as_ref().map(|(worst, who)| format!("{worst:.1} {who}")));
    render(&columns, rows.len())
}

fn render(columns: &[(String, Vec<String>)], rows: usize) -> String {
    let width = |(name, cells): &(String, Vec<String>)| {
        cells.iter().chain([name]).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = columns.iter().map(width).collect();
    let mut text = String::new();
    // Writing to a string cannot fail.
    let mut line = |cells: &mut dyn Iterator<Item = &String>| {
        for (cell, width) in cells.zip(&widths) {
            let _ = write!(text, "| {cell:<width$} ");
        }
        text.push_str("|\n");
    };
    line(&mut columns.iter().map(|column| &column.0));
    let dashes: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
    line(&mut dashes.iter());
    for row in 0..rows {
        line(&mut columns.iter().map(|column| &column.1[row]));
    }
    text
}

fn first_of<'a>(keys: &[(&'a str, &'a str)], case: &str) -> Option<&'a str> {
    keys.iter().find(|key| key.0 == case).map(|key| key.1)
}

fn row(report: &Report, (case, contestant): (&str, &str), first: Option<&str>) -> Row {
    let of = |who: &str| -> Vec<&Measurement> {
        report.measurements.iter().filter(|one| one.case == case && one.contestant == who).collect()
    };
    let own = of(contestant);
    let reference = first.map(of).unwrap_or_default();
    let mut ratios = Vec::new();
    for one in &own {
        let other = reference.iter().find(|other| other.picture == one.picture);
        if let (Some(time), Some(base)) = (one.min, other.and_then(|other| other.min)) {
            ratios.push((time / base, one.picture.as_str()));
        }
    }
    let worst = ratios.iter().max_by(|a, b| a.0.total_cmp(&b.0)).copied();
    let is_first = first == Some(contestant);
    let ratio = geometric(ratios.iter().map(|ratio| ratio.0)).zip(worst);
    let ratio = ratio.map(|(mean, (worst, picture))| {
        // One picture's worst is its only; the first's is 1 by definition.
        let picture = if is_first || ratios.len() == 1 { "" } else { picture };
        (mean, worst, picture.to_owned())
    });
    let scores = own.iter().filter_map(|one| Some((one.ssimulacra2?, one.picture.clone())));
    let worst = scores.clone().min_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| own.len() > 1);
    Row {
        case: case.into(),
        contestant: contestant.into(),
        min: geometric(own.iter().filter_map(|one| one.min)),
        median: geometric(own.iter().filter_map(|one| one.median)),
        per_second: geometric(own.iter().filter_map(|one| one.per_second)),
        memory: mean(own.iter().filter_map(|one| Some(one.memory? as f64))),
        ratio,
        bytes: mean(own.iter().filter_map(|one| Some(one.bytes? as f64))),
        ssimulacra2: mean(scores.map(|score| score.0)),
        worst,
    }
}

/// `None` of nothing; zeros, which a coarse clock gives, count as the smallest number.
fn geometric(values: impl Iterator<Item = f64>) -> Option<f64> {
    mean(values.map(|value| value.max(f64::MIN_POSITIVE).ln())).map(f64::exp)
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (count, sum) = values.fold((0, 0.0), |(count, sum), value| (count + 1, sum + value));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(contestant: &str, picture: &str, min: f64, score: f64) -> Measurement {
        let mut one = Measurement::new("job", contestant, picture);
        (one.min, one.median, one.ssimulacra2) = (Some(min), Some(min * 2.0), Some(score));
        one
    }

    fn report() -> Report {
        Report {
            bench: "encode".into(),
            quick: false,
            date: String::new(),
            machine: String::new(),
            load: None,
            measurements: vec![
                measured("first", "x", 1.0, 80.0),
                measured("second", "x", 2.0, 70.0),
                measured("first", "y", 4.0, 90.0),
                measured("second", "y", 32.0, 60.0),
            ],
        }
    }

    #[test]
    fn means_are_geometric_and_the_worst_is_named() {
        let rows = rows(&report());
        assert_eq!(rows.len(), 2);
        let second = &rows[1];
        assert_eq!(second.contestant, "second");
        assert!((second.min.unwrap() - 8.0).abs() < 1e-9 && (second.median.unwrap() - 16.0).abs() < 1e-9);
        let (mean, worst, picture) = second.ratio.clone().unwrap();
        assert!((mean - 4.0).abs() < 1e-9 && (worst - 8.0).abs() < 1e-9, "{mean} {worst}");
        assert_eq!(picture, "y");
        assert_eq!(second.ssimulacra2, Some(65.0));
        assert_eq!(second.worst, Some((60.0, "y".into())));
    }

    #[test]
    fn the_table_has_only_filled_columns() {
        let text = markdown(&report());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 4);
        assert!(lines[0].contains("× first") && !lines[0].contains("requests/s"), "{text}");
        assert!(
            lines[3].contains("second") && lines[3].contains("4.00") && lines[3].contains("8.00 y"),
            "{text}"
        );
    }
}
