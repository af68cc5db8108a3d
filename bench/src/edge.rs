//! The Worker and a jSquash Worker in workerd, each in a process of its own. The tests' crate has what it takes to
//! run them; it links another libwebp, so that it is a program of its own.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::Result;
use crate::harness::Timing;
use crate::photographs::{folder, hd, large};
use crate::report::Measurement;
use crate::setup::Setup;

/// Asks the program, which prints a line for each contestant at each case: `case`, `contestant`, `picture`, best
/// and median microseconds of CPU, bytes of memory, with tabs between.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let photographs: Vec<_> =
        hd(setup)?.into_iter().take(2).chain(large(setup)?.into_iter().take(1)).collect();
    let mut command = Command::new(&setup.edge_dev);
    command.arg("bench").arg(setup.node.join("jsquash")).arg(folder(setup));
    command.args(setup.quick.then_some("--quick"));
    for photograph in &photographs {
        command.arg(photograph.baseline_path.file_name().unwrap_or_default());
    }
    let output = command.stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", setup.edge_dev.display(), output.status).into());
    }
    String::from_utf8(output.stdout)?.lines().map(measurement).collect()
}

fn measurement(line: &str) -> Result<Measurement> {
    let bad = || format!("not a line of a measurement: {line:?}");
    let fields: Vec<&str> = line.split('\t').collect();
    let [case, contestant, picture, min, median, memory] = fields[..] else { return Err(bad().into()) };
    let micros = |text: &str| text.parse().map(Duration::from_micros).map_err(|_| bad());
    let timing = Timing { min: micros(min)?, median: micros(median)? };
    let mut one = Measurement::new(case, contestant, picture).timed(timing, 1.0);
    one.memory = Some(memory.parse().map_err(|_| bad())?).filter(|memory| *memory > 0);
    Ok(one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_measurements() {
        let one = measurement("240 px JPEG\tjSquash\tboats\t52500\t60000\t0").unwrap();
        assert_eq!((one.min, one.median, one.memory), (Some(52.5), Some(60.0), None));
        assert_eq!((one.case.as_str(), one.contestant.as_str()), ("240 px JPEG", "jSquash"));
        assert!(measurement("something else").is_err());
    }
}
