//! Everything a developer runs: `cargo xtask serve`, `page`, `test`, `edge`, `bench`.
//!
//! Only the standard library is used, so that a fresh machine starts within seconds.

use std::process::ExitCode;

mod bench;
mod edge;
mod error;
mod node;
mod page;
mod programs;
mod project;
mod serve;
mod stream;
mod test;
mod tools;
mod urls;
mod wasm;

use error::Error;

const USAGE: &str = "\
usage: cargo xtask COMMAND

  serve [-- ARGS…]   build the origin and the demo page, make sample pictures, serve them at http://127.0.0.1:8080
                     ARGS go to `tintype serve`: --root DIR for your own pictures, --listen ADDR:PORT
  page               build the demo page into www/dist, as static files
  edge [--no-simd] [--serve]
                     build the Worker into edge/dist, and serve the sample pictures with it
  bench NAME|all [--quick] [--compare FILE] [--json FILE] [--update-readme]
                     measure beside peers: decode, resize, encode, thumb, serve, edge
  test [STEP…]       run all checks, or only these: {steps}
  help               this text
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args.as_slice() {
        ["serve"] => serve::run(&[]),
        // The dashes may be left out: no option of `serve` is xtask's own.
        ["serve", "--", rest @ ..] | ["serve", rest @ ..] => serve::run(rest),
        ["page"] => page::run(),
        ["edge", rest @ ..] => edge::run(rest),
        ["bench", rest @ ..] => bench::run(rest),
        ["test", steps @ ..] => test::run(steps),
        ["help" | "--help" | "-h"] => {
            print!("{}", usage());
            Ok(ExitCode::SUCCESS)
        }
        [] => Err(Error::Usage("no command".into())),
        [unknown, ..] => Err(Error::Usage(format!("unknown command {unknown:?}"))),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("{error}");
        if let Error::Usage(_) = error {
            eprint!("\n{}", usage());
            return ExitCode::from(2);
        }
        ExitCode::FAILURE
    })
}

fn usage() -> String {
    USAGE.replace("{steps}", &test::step_names().join(" "))
}
