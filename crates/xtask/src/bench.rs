//! `cargo xtask bench`: Tintype beside its peers. The measuring is a program of its own (`bench/`, a workspace of its
//! own); this installs what the peers need, builds, and hands it all over.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::edge;
use crate::error::Error;
use crate::node;
use crate::project::{cargo, release_binary, root, succeed, target_dir};
use crate::wasm::{Codec, Runner};

mod peers;

pub(crate) use peers::require_build_tools;

/// The benches, and what each needs.
const BENCHES: [Bench; 6] = [
    Bench { name: "decode", needs: &[] },
    Bench { name: "resize", needs: &[] },
    Bench { name: "encode", needs: &[] },
    Bench { name: "thumb", needs: &[Need::Origin, Need::Npm, Need::Oximg] },
    Bench { name: "serve", needs: &[Need::Origin, Need::Npm, Need::Oximg] },
    Bench { name: "edge", needs: &[Need::Npm, Need::Workers] },
];

/// The benches that a quick run takes along: `edge` needs the Worker's modules, which take minutes to build.
pub(crate) const QUICK: [&str; 5] = ["decode", "resize", "encode", "thumb", "serve"];

struct Bench {
    name: &'static str,
    needs: &'static [Need],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Need {
    /// Our own server.
    Origin,
    /// sharp, ipx and jSquash.
    Npm,
    /// oximg's server; a quick run does without.
    Oximg,
    /// Our Worker's modules, jSquash's, and the program that runs both.
    Workers,
}

/// `cargo xtask bench NAME|all [--quick] [--compare FILE] [--json FILE] [--update-readme]`.
pub(crate) fn run(args: &[&str]) -> Result<ExitCode, Error> {
    let options = Options::parse(args)?;
    measure(&options, &mut |command| succeed(command))?;
    Ok(ExitCode::SUCCESS)
}

/// All quick benches in turn, each command by `run`.
pub(crate) fn quick(run: Runner<'_>) -> Result<(), Error> {
    let benches = BENCHES.iter().filter(|bench| QUICK.contains(&bench.name)).collect();
    measure(&Options { benches, quick: true, passed: Vec::new(), readme: false }, run)
}

/// A command of cargo in the benches' workspace, with a target folder of its own.
pub(crate) fn bench_cargo(args: &[&str]) -> Command {
    let mut command = cargo(args);
    command.current_dir(root().join("bench")).env("CARGO_TARGET_DIR", dir().join("build"));
    command
}

struct Options<'a> {
    benches: Vec<&'static Bench>,
    quick: bool,
    /// What the program itself understands.
    passed: Vec<(&'a str, &'a str)>,
    readme: bool,
}

impl<'a> Options<'a> {
    fn parse(args: &[&'a str]) -> Result<Options<'a>, Error> {
        let usage = |what: String| Err(Error::Usage(what));
        let [name, rest @ ..] = args else { return usage("bench: which one?".into()) };
        let benches: Vec<_> = BENCHES.iter().filter(|bench| *name == "all" || *name == bench.name).collect();
        if benches.is_empty() {
            return usage(format!("unknown bench {name:?}"));
        }
        let mut options = Options { benches, quick: false, passed: Vec::new(), readme: false };
        let mut rest = rest.iter();
        while let Some(arg) = rest.next() {
            match *arg {
                "--quick" => options.quick = true,
                "--update-readme" => options.readme = true,
                "--compare" | "--json" => match rest.next() {
                    Some(value) => options.passed.push((arg, value)),
                    None => return usage(format!("{arg} needs a file")),
                },
                unknown => return usage(format!("unknown option {unknown:?}")),
            }
        }
        if options.benches.len() > 1 && !options.passed.is_empty() {
            return usage("--compare and --json are for one bench".into());
        }
        if options.quick && options.readme {
            return usage("quick numbers are not for the README".into());
        }
        Ok(options)
    }

    fn need(&self, need: Need) -> bool {
        self.benches.iter().any(|bench| bench.needs.contains(&need))
    }
}

fn measure(options: &Options<'_>, run: Runner<'_>) -> Result<(), Error> {
    require_build_tools(run)?;
    let dir = dir();
    std::fs::create_dir_all(&dir).map_err(|source| Error::File { path: dir.clone(), source })?;
    let mut build = vec!["build", "--release", "--package", "tintype-tests", "--bin", "samples"];
    if options.need(Need::Origin) {
        build.extend(["--package", "tintype", "--bin", "tintype"]);
    }
    run(&mut cargo(build))?;
    run(&mut bench_cargo(&["build", "--release", "--locked"]))?;

    let mut paths: Vec<(&str, PathBuf)> = vec![
        ("--dir", dir.clone()),
        ("--samples", release_binary("samples")),
        ("--tintype", release_binary("tintype")),
        ("--edge-dev", release_binary("edge-dev")),
    ];
    if options.need(Need::Npm) {
        paths.push(("--node", peers::npm(&dir, run)?));
    }
    if options.need(Need::Oximg) && !options.quick {
        paths.push(("--oximg", peers::oximg(&dir, run)?));
    }
    let mut worker = None;
    if options.need(Need::Workers) {
        node::EDGE.require()?;
        worker = Some(edge::build(&[Codec::Simd], run)?);
        edge::build_dev_program(run)?;
        peers::jsquash(&dir.join("node"), run)?;
    }
    if options.readme {
        paths.push(("--readme", root().join("README.md")));
    }
    let program = dir.join("build/release/tintype-bench").with_extension(std::env::consts::EXE_EXTENSION);
    for bench in &options.benches {
        let mut command = Command::new(&program);
        command.arg(bench.name).args(options.quick.then_some("--quick"));
        for (name, path) in &paths {
            command.arg(name).arg(path);
        }
        for (name, value) in &options.passed {
            command.args([name, value]);
        }
        if let Some(worker) = &worker {
            edge::with_build(&mut command, worker);
        }
        run(&mut command)?;
    }
    Ok(())
}

/// Everything of the benches that is made: `target/bench`.
fn dir() -> PathBuf {
    target_dir().join("bench")
}

/// A file of `bench/`.
fn source(path: &str) -> PathBuf {
    root().join("bench").join(Path::new(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(args: &[&str]) -> String {
        Options::parse(args).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn options_are_read() {
        let options = Options::parse(&["decode", "--quick", "--compare", "a.json"]).unwrap();
        assert_eq!((options.benches.len(), options.quick, options.readme), (1, true, false));
        assert_eq!(options.passed, [("--compare", "a.json")]);
        let all = Options::parse(&["all", "--update-readme"]).unwrap();
        assert!(all.benches.len() == BENCHES.len() && all.need(Need::Workers) && all.readme);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        assert!(refused(&[]).contains("which one"));
        assert!(refused(&["nonsense"]).contains("\"nonsense\""));
        assert!(refused(&["decode", "--json"]).contains("needs a file"));
        assert!(refused(&["all", "--json", "x"]).contains("one bench"));
        assert!(refused(&["decode", "--quick", "--update-readme"]).contains("README"));
    }

    #[test]
    fn quick_ones_exist() {
        assert!(QUICK.iter().all(|name| BENCHES.iter().any(|bench| bench.name == *name)));
    }
}
