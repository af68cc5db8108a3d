//! What a process has used, as `/proc` tells (Linux only).

use std::fs;
use std::time::Duration;

/// A process's use of the machine so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// CPU time of all its threads, in the kernel and out of it.
    pub cpu: Duration,
    /// Bytes of memory it holds now.
    pub memory: u64,
}

impl Usage {
    /// Of the process with this id; nothing where it cannot be told.
    pub fn of(process: u32) -> Usage {
        let read = |file: &str| fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
        let stat = read("stat");
        // After the name, which may hold anything but is in parentheses: fields 14 and 15, counted from 1.
        let after_name = stat.rsplit_once(") ").map_or("", |(_, rest)| rest);
        let ticks = after_name.split(' ').skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
        let resident = read("status");
        let resident = resident.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = resident.and_then(|text| text.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        Usage {
            // Linux counts in hundredths for all programs, whatever the kernel itself does.
            cpu: Duration::from_millis(ticks.sum::<u64>() * 10),
            memory: kilobytes.unwrap_or(0) << 10,
        }
    }
}
