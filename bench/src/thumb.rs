//! A JPEG to a whole thumbnail: what each of those that one could use instead takes for it, and how it looks.

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;

use tintype_core::{FormatChoice, Transform, thumbnail};

use crate::Result;
use crate::harness::{Contestant, race};
use crate::node::Node;
use crate::photographs::hd;
use crate::picture::Rgb;
use crate::report::Measurement;
use crate::server::{Output, Server, cpu_per_answer};
use crate::setup::Setup;
use crate::{libwebp, quality};

const QUALITY: u8 = 80;
const WIDTHS: [usize; 2] = [240, 800];

/// One contestant's way from a file to a thumbnail, a few times over.
type Make<'a> = Box<dyn FnMut() -> Result<(std::time::Duration, Vec<u8>)> + 'a>;

/// All contestants that last over the whole bench.
struct Peers {
    node: RefCell<Node>,
    servers: Vec<Server>,
    /// Thumbnails in a row of those in other processes.
    times: u32,
}

/// The photographs, both codings, two widths, two formats.
pub(crate) fn run(setup: &Setup) -> Result<Vec<Measurement>> {
    let photographs = hd(setup)?;
    let mut servers = vec![Server::tintype(setup)?];
    servers.extend(Server::oximg(setup)?);
    let times = if setup.quick { 1 } else { 5 };
    let peers = Peers { node: RefCell::new(Node::start(setup)?), servers, times };
    let mut measurements = Vec::new();
    for coding in 0..2 {
        for output in [Output::WebP, Output::Jpeg] {
            for width in WIDTHS {
                for photograph in &photographs {
                    let (name, file, path) = photograph.codings()[coding];
                    let case = format!("{name} to {width} {}", output.name());
                    let source = Rgb::from_jpeg(file, 1)?;
                    let reference = source.resized(width, source.height_for(width))?;
                    let record = |who: &str| Measurement::new(&case, who, &photograph.name);
                    measurements.extend(whole(setup, &peers, (file, path), &reference, output, &record)?);
                    if output == Output::WebP {
                        measurements.extend(pixels(file, &reference, &record)?);
                    }
                }
            }
        }
    }
    Ok(measurements)
}

/// Whole thumbnails.
fn whole(
    setup: &Setup,
    peers: &Peers,
    (file, path): (&[u8], &Path),
    reference: &Rgb,
    output: Output,
    record: &dyn Fn(&str) -> Measurement,
) -> Result<Vec<Measurement>> {
    let width = reference.width;
    let times = peers.times;
    let node = &peers.node;
    let mut makers: Vec<(String, Make<'_>)> = Vec::new();
    for peer in ["sharp", "ipx"] {
        let make = move || node.borrow_mut().thumbnail(peer, path, width, output, times);
        makers.push((peer.into(), Box::new(make)));
    }
    for server in &peers.servers {
        let target = server.target(path, width, output);
        let make = move || cpu_per_answer(server, &target, times);
        makers.push((format!("{}'s server", server.name), Box::new(make)));
    }
    let mut results: Vec<(String, Vec<u8>)> = Vec::new();
    let mut contestants: Vec<Contestant<'_>> = Vec::new();
    for (name, make) in &mut makers {
        results.push((name.clone(), make()?.1));
        contestants.push(Contestant::elsewhere(name.clone(), || Ok(make()?.0)));
    }
    for (name, make) in here(file, reference, output) {
        results.push((name.into(), make()?));
        contestants.push(Contestant::here(name, make));
    }
    let timings = race(&mut contestants, setup.effort())?;
    let mut measurements = Vec::new();
    for ((name, made), timing) in results.iter().zip(timings) {
        let mut one = record(name).timed(timing, 1.0);
        one.bytes = Some(made.len() as u64);
        one.ssimulacra2 = Some(quality::score(reference, &Rgb::decode(made)?)?);
        measurements.push(one);
    }
    Ok(measurements)
}

/// Makes a thumbnail in this thread.
type MakeHere<'a> = Box<dyn Fn() -> Result<Vec<u8>> + 'a>;

fn here<'a>(file: &'a [u8], reference: &'a Rgb, output: Output) -> Vec<(&'static str, MakeHere<'a>)> {
    let mut makers: Vec<(&'static str, MakeHere<'a>)> =
        vec![("tintype's core", Box::new(move || core(black_box(file), reference.width, output)))];
    if output == Output::WebP {
        // What one would put together oneself from the fastest libraries in C.
        let make = |method| move || assembled(black_box(file), reference, method);
        makers.push(("turbojpeg + fast_image_resize + libwebp 4", Box::new(make(4))));
        makers.push(("turbojpeg + fast_image_resize + libwebp 0", Box::new(make(0))));
    }
    makers
}

fn core(file: &[u8], width: usize, output: Output) -> Result<Vec<u8>> {
    let format = match output {
        Output::WebP => FormatChoice::WebP,
        Output::Jpeg => FormatChoice::Jpeg,
    };
    let transform =
        Transform { width: Some(width as u32), quality: Some(QUALITY), format, ..Transform::default() };
    thumbnail(file, &transform).map_err(|error| format!("tintype: {error}").into())
}

/// The smallest reduction that leaves twice the thumbnail's width, as sharp chooses it.
fn assembled(file: &[u8], reference: &Rgb, method: i32) -> Result<Vec<u8>> {
    let whole = turbojpeg::read_header(file)?.width;
    let reduction =
        [8, 4, 2].into_iter().find(|reduction| whole / reduction >= 2 * reference.width).unwrap_or(1);
    let reduced = Rgb::from_jpeg(file, reduction)?;
    let resized = reduced.resized(reference.width, reference.height)?;
    libwebp::encode(&libwebp::planes(&resized)?, f32::from(QUALITY), method)
}

/// What a reduced decode costs in likeness before anything is encoded.
fn pixels(file: &[u8], reference: &Rgb, record: &dyn Fn(&str) -> Measurement) -> Result<Vec<Measurement>> {
    let mut measurements = Vec::new();
    for reduction in [8, 4, 2] {
        let reduced = Rgb::from_jpeg(file, reduction)?;
        if reduced.width < reference.width {
            continue;
        }
        let resized = reduced.resized(reference.width, reference.height)?;
        let mut one = record(&format!("1/{reduction} + Lanczos3, not encoded"));
        one.ssimulacra2 = Some(quality::score(reference, &resized)?);
        measurements.push(one);
    }
    Ok(measurements)
}
