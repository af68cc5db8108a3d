//! libjpeg-turbo's programs, and pictures to give them.

use std::io::Write;
use std::process::{Command, Stdio};

/// Runs one of the programs with `input`; its output, or `None` where it refuses.
fn run(program: &str, args: &[&str], input: &[u8]) -> Option<Vec<u8>> {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{program}: {error} (Debian: apt-get install libjpeg-turbo-progs)"));
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input));
        child.wait_with_output().unwrap()
    });
    output.status.success().then_some(output.stdout)
}

/// `cjpeg`, which must succeed.
pub(crate) fn cjpeg(args: &str, picture: &[u8]) -> Vec<u8> {
    let args: Vec<&str> = args.split_whitespace().collect();
    run("cjpeg", &args, picture).unwrap_or_else(|| panic!("cjpeg {args:?} failed"))
}

/// `jpegtran`, which must succeed.
pub(crate) fn jpegtran(args: &str, file: &[u8]) -> Vec<u8> {
    let args: Vec<&str> = args.split_whitespace().collect();
    run("jpegtran", &args, file).unwrap_or_else(|| panic!("jpegtran {args:?} failed"))
}

/// The pixels that `djpeg` makes, interleaved, or `None` where it cannot.
pub(crate) fn djpeg(file: &[u8]) -> Option<Vec<u8>> {
    let pnm = run("djpeg", &["-dct", "int", "-nosmooth", "-pnm"], file)?;
    let mut lines = pnm.splitn(4, |&byte| byte == b'\n');
    lines.nth(2);
    lines.next().map(<[u8]>::to_vec)
}

/// A generator of numbers that look random: xorshift.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// A picture as PPM: slopes, edges and noise, so that blocks of all kinds come of it.
pub(crate) fn ppm(width: usize, height: usize, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut bytes = format!("P6\n{width} {height}\n255\n").into_bytes();
    for y in 0..height {
        for x in 0..width {
            let noise = if (x / 16 + y / 16) % 3 == 0 { random.below(200) } else { random.below(7) };
            let edge = if x * 3 > y * 2 + 20 { 90 } else { 0 };
            let pixel = [x * 5 + noise, y * 3 + edge, (x + y) * 2 + noise / 2 + edge];
            bytes.extend(pixel.map(|sample| (sample % 256) as u8));
        }
    }
    bytes
}
