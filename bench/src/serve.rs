//! Whole servers under load.

use std::time::Duration;

use crate::Result;
use crate::harness::{Contestant, Effort, race};
use crate::load::load;
use crate::photographs::hd;
use crate::report::Measurement;
use crate::server::{Output, Server};
use crate::setup::Setup;

/// Clients at once: twice the processors of the machine that this is made for.
const CONNECTIONS: usize = 4;

/// The photographs in turn, to one width.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let photographs = hd(setup)?;
    let mut servers = vec![Server::sharp(setup)?, Server::ipx(setup)?];
    servers.extend(Server::oximg(setup)?);
    servers.push(Server::tintype(setup)?);
    let (time, effort) = if setup.quick {
        (Duration::from_millis(300), Effort { rounds: 1, most: 1, time: Duration::ZERO })
    } else {
        (Duration::from_secs(3), Effort { rounds: 3, most: 3, time: Duration::ZERO })
    };
    let mut measurements = Vec::new();
    for (coding, name) in ["baseline", "progressive"].into_iter().enumerate() {
        for width in [240, 800] {
            let mut rates = vec![0.0_f64; servers.len()];
            let mut contestants = Vec::new();
            for (server, rate) in servers.iter().zip(&mut rates) {
                let targets: Vec<String> = photographs
                    .iter()
                    .map(|photograph| server.target(photograph.codings()[coding].2, width, Output::WebP))
                    .collect();
                contestants.push(Contestant::elsewhere(server.name, move || {
                    let before = server.cpu()?;
                    let load = load(server.address, &targets, CONNECTIONS, time)?;
                    let spent = server.cpu()?.saturating_sub(before);
                    *rate = rate.max(load.answers as f64 / load.took.as_secs_f64());
                    Ok(spent / u32::try_from(load.answers.max(1))?)
                }));
            }
            let timings = race(&mut contestants, effort)?;
            drop(contestants);
            for ((server, rate), timing) in servers.iter().zip(rates).zip(timings) {
                let case = format!("{name} 1080p to {width} WebP");
                let mut one = Measurement::new(&case, server.name, "all").timed(timing, 1.0);
                one.per_second = Some(rate);
                measurements.push(one);
            }
        }
    }
    Ok(measurements)
}
