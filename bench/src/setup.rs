//! What `cargo xtask bench` tells: which bench, how thorough, and where things are.

use std::path::PathBuf;

use crate::Result;
use crate::harness::Effort;

/// The command line. Paths of peers are there only where their bench asks for them.
#[derive(Debug, Default)]
pub(crate) struct Setup {
    /// The subcommand.
    pub bench: String,
    /// One small picture and few rounds: whether it works at all.
    pub quick: bool,
    /// Folder for pictures and results.
    pub dir: PathBuf,
    /// An earlier result to compare with.
    pub compare: Option<PathBuf>,
    /// Where the result goes; else into `dir`.
    pub json: Option<PathBuf>,
    /// The README whose section takes the table.
    pub readme: Option<PathBuf>,
    /// The program that draws sample pictures.
    pub samples: PathBuf,
    /// The origin's binary.
    pub tintype: PathBuf,
    /// The folder with the peers from npm and their scripts.
    pub node: PathBuf,
    /// oximg's binary; where there is none it has no rows.
    pub oximg: Option<PathBuf>,
    /// The program that runs Workers.
    pub edge_dev: PathBuf,
}

impl Setup {
    /// From arguments: the bench, then `--name VALUE` pairs and `--quick`.
    pub(crate) fn from_args(args: impl Iterator<Item = String>) -> Result<Setup> {
        let mut setup = Setup::default();
        let mut args = args;
        while let Some(arg) = args.next() {
            let Some(name) = arg.strip_prefix("--") else {
                setup.bench = arg;
                continue;
            };
            if name == "quick" {
                setup.quick = true;
                continue;
            }
            let value = PathBuf::from(args.next().ok_or_else(|| format!("{arg} needs a value"))?);
            match name {
                "dir" => setup.dir = value,
                "compare" => setup.compare = Some(value),
                "json" => setup.json = Some(value),
                "readme" => setup.readme = Some(value),
                "samples" => setup.samples = value,
                "tintype" => setup.tintype = value,
                "node" => setup.node = value,
                "oximg" => setup.oximg = Some(value),
                "edge-dev" => setup.edge_dev = value,
                _ => return Err(format!("unknown option {arg}").into()),
            }
        }
        Ok(setup)
    }

    /// How long each race of a bench takes.
    pub(crate) fn effort(&self) -> Effort {
        if self.quick { Effort::QUICK } else { Effort::FULL }
    }
}
