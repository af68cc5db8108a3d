//! The promises of the core's interface, on every sample picture: how bytes arrive and what memory held before
//! changes nothing, and a wrong buffer is a typed error that changes nothing either.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on must say so")]

mod common;

use common::{Aligned, Feed, Random, header, make, make_whole, sample, samples, thumb};
use tintype_core::{
    Error, Finish, Format, FormatChoice, Input, Limit, Limits, Plan, Probe, Thumbnailer, Transform, probe,
};

/// Every file of the sample folder, good and broken, with its bytes.
fn every_file() -> impl Iterator<Item = (&'static str, Vec<u8>)> {
    samples().1.iter().map(|file| (file.path, sample(file.path)))
}

#[test]
fn chunking_changes_nothing() {
    let transform = thumb(FormatChoice::Png);
    let mut random = Random(1);
    for (path, source) in every_file() {
        let whole = make_whole(&source, &transform);
        let mut cuts: Vec<Box<dyn FnMut() -> usize>> = vec![
            Box::new(|| usize::MAX),
            Box::new(|| 1),
            Box::new(|| 4096),
            Box::new(move || random.below(70_000)),
        ];
        random = Random(source.len() as u64 + 1);
        for (n, cut) in cuts.iter_mut().enumerate() {
            assert_eq!(make(&source, &transform, Feed::PIECES, cut), whole, "{path}, cut {n}");
        }
    }
}

#[test]
fn memory_before_and_its_place_change_nothing() {
    let transform = thumb(FormatChoice::WebP);
    for (path, source) in every_file() {
        let whole = make_whole(&source, &transform);
        for contiguous in [true, false] {
            for len_known in [true, false] {
                let feed = Feed { contiguous, len_known, dirt: 0xa5, moving: true };
                assert_eq!(make(&source, &transform, feed, || usize::MAX), whole, "{path}, {feed:?}");
            }
        }
    }
}

#[test]
fn probing_a_prefix_agrees_with_probing_the_whole() {
    for (path, source) in every_file() {
        let whole = probe(&source, true);
        let mut len = 0;
        let mut calls = 0;
        let answer = loop {
            match probe(&source[..len], len == source.len()) {
                Ok(Probe::Need(needed)) => {
                    assert!(needed > len as u64, "{path}: asks for {needed} bytes, given {len}");
                    len = source.len().min(needed as usize);
                }
                answer => break answer,
            }
            calls += 1;
            assert!(calls < 100, "{path}: never satisfied");
        };
        assert_eq!(answer, whole, "{path}, after {len} bytes");
    }
}

#[test]
fn one_byte_less_is_refused() {
    for (path, source) in [("landscape.jpg", 0), ("alpha.png", 1), ("photo.webp", 2), ("graphic.gif", 3)]
        .map(|(path, _)| (path, sample(path)))
    {
        for contiguous in [true, false] {
            let input = Input { len: Some(source.len() as u64), contiguous };
            let plan =
                Plan::new(&header(&source).unwrap(), &thumb(FormatChoice::WebP), &Limits::default(), input)
                    .unwrap();
            let needed = plan.workspace_len();
            let mut thumbnailer = Thumbnailer::new(plan);
            let mut short = Aligned::new(needed - 1, 0, 0);
            let mut exact = Aligned::new(needed, 0, 0);
            let mut crooked = Aligned::new(needed, 1, 0);
            let too_small = Err(Error::BufferTooSmall { needed, given: needed - 1 });
            assert_eq!(thumbnailer.push(&source, true, short.bytes()), too_small, "{path}");
            assert_eq!(thumbnailer.push(&source, true, crooked.bytes()), Err(Error::Misaligned), "{path}");
            // Neither refusal cost the session anything.
            let progress = thumbnailer.push(&source, true, exact.bytes()).unwrap();
            // What follows a JPEG's last row is not taken.
            let most = if source.starts_with(&[0xff, 0xd8]) { 2 } else { 0 };
            assert!(progress.complete && source.len() - progress.consumed <= most);

            let mut output = vec![0; plan.max_output_len()];
            let short_output = plan.max_output_len() - 1;
            let done = loop {
                assert_eq!(
                    thumbnailer.finish(short.bytes(), &mut output),
                    Err(Error::BufferTooSmall { needed, given: needed - 1 })
                );
                assert_eq!(thumbnailer.finish(crooked.bytes(), &mut output), Err(Error::Misaligned));
                match thumbnailer.finish(exact.bytes(), &mut output[..short_output]) {
                    Ok(Finish::More) => {}
                    Err(error) => {
                        let needed = plan.max_output_len();
                        assert_eq!(error, Error::BufferTooSmall { needed, given: needed - 1 });
                        break loop {
                            match thumbnailer.finish(exact.bytes(), &mut output).unwrap() {
                                Finish::More => {}
                                done @ Finish::Done(_) => break done,
                            }
                        };
                    }
                    Ok(done @ Finish::Done(_)) => panic!("{path}: {done:?} in too small an output"),
                }
            };
            let Finish::Done(done) = done else { panic!("{path}: {done:?}") };
            let whole = make_whole(&source, &thumb(FormatChoice::WebP)).unwrap();
            assert_eq!((&output[..done.len], done), (whole.0.as_slice(), whole.1), "{path}");
        }
    }
}

#[test]
fn calls_out_of_order() {
    let source = sample("pixel.png");
    let input = Input { len: Some(source.len() as u64), contiguous: false };
    let plan =
        Plan::new(&header(&source).unwrap(), &Transform::default(), &Limits::default(), input).unwrap();
    let mut workspace = Aligned::new(plan.workspace_len(), 0, 0);
    let mut output = vec![0; plan.max_output_len()];
    let mut thumbnailer = Thumbnailer::new(plan);
    let early = thumbnailer.finish(workspace.bytes(), &mut output);
    assert!(matches!(early, Err(Error::OutOfOrder { .. })), "{early:?}");
    thumbnailer.push(&source, true, workspace.bytes()).unwrap();
    let late = thumbnailer.push(&source, true, workspace.bytes());
    assert!(matches!(late, Err(Error::OutOfOrder { .. })), "{late:?}");
    let done = loop {
        if let Finish::Done(done) = thumbnailer.finish(workspace.bytes(), &mut output).unwrap() {
            break done;
        }
    };
    // Asked again, it says the same again.
    assert_eq!(thumbnailer.finish(workspace.bytes(), &mut output), Ok(Finish::Done(done)));

    let plan = Plan::new(
        &header(&source).unwrap(),
        &Transform::default(),
        &Limits::default(),
        Input { contiguous: true, ..input },
    )
    .unwrap();
    let mut thumbnailer = Thumbnailer::new(plan);
    let half = thumbnailer.push(&source[..20], false, workspace.bytes());
    assert!(matches!(half, Err(Error::OutOfOrder { .. })), "one push was announced: {half:?}");
}

#[test]
fn a_source_that_is_longer_than_it_said_is_refused_and_stays_so() {
    let source = sample("pixel.png");
    let input = Input { len: Some(source.len() as u64 - 1), contiguous: false };
    let plan =
        Plan::new(&header(&source).unwrap(), &Transform::default(), &Limits::default(), input).unwrap();
    let mut workspace = Aligned::new(plan.workspace_len(), 0, 0);
    let mut thumbnailer = Thumbnailer::new(plan);
    let (needed, allowed) = (source.len() as u64, source.len() as u64 - 1);
    let error = Error::TooLarge { limit: Limit::SourceBytes, needed, allowed };
    assert_eq!(thumbnailer.push(&source, true, workspace.bytes()), Err(error));
    assert_eq!(thumbnailer.push(&[], true, workspace.bytes()), Err(error));
    assert_eq!(thumbnailer.finish(workspace.bytes(), &mut []), Err(error));
}

#[test]
fn an_error_of_the_source_stays() {
    let source = sample("broken/truncated.jpg");
    let strict = Transform { strict: true, ..thumb(FormatChoice::Jpeg) };
    let input = Input { len: None, contiguous: true };
    let plan = Plan::new(&header(&source).unwrap(), &strict, &Limits::default(), input).unwrap();
    let mut workspace = Aligned::new(plan.workspace_len(), 0, 0);
    let mut thumbnailer = Thumbnailer::new(plan);
    let error = thumbnailer.push(&source, true, workspace.bytes()).unwrap_err();
    assert!(matches!(error, Error::Truncated { .. } | Error::Malformed { .. }), "{error:?}");
    assert_eq!(thumbnailer.push(&source, true, workspace.bytes()), Err(error));
    assert_eq!(thumbnailer.finish(workspace.bytes(), &mut []), Err(error));
}

#[test]
fn a_webp_ends_where_its_riff_header_says() {
    let source = sample("photo.webp");
    let mut longer = source.clone();
    longer.extend_from_slice(&[0x55; 1000]);
    let transform = thumb(FormatChoice::Png);
    let (bytes, done) = make_whole(&source, &transform).unwrap();
    for feed in [Feed::WHOLE, Feed::PIECES] {
        let (longer_bytes, longer_done) = make(&longer, &transform, feed, || usize::MAX).unwrap();
        assert_eq!((longer_bytes, longer_done), (bytes.clone(), done));
    }
    assert_eq!(done.bytes_used, source.len() as u64);
}

#[test]
fn limits_are_checked_before_anything_is_done() {
    let source = sample("landscape.jpg"); // 1920×1280
    let header = header(&source).unwrap();
    let plan = |transform: &Transform, limits: &Limits, len| {
        Plan::new(&header, transform, limits, Input { len, contiguous: true }).map(|plan| plan.output().width)
    };
    let transform = thumb(FormatChoice::Jpeg);
    let limits = Limits::default();
    let over = |limit, needed, allowed| Err(Error::TooLarge { limit, needed, allowed });

    let pixels = Limits { source_pixels: 1920 * 1280, ..limits };
    assert_eq!(plan(&transform, &pixels, None), Ok(240));
    let pixels = Limits { source_pixels: 1920 * 1280 - 1, ..limits };
    assert_eq!(plan(&transform, &pixels, None), over(Limit::SourcePixels, 1920 * 1280, 1920 * 1280 - 1));

    let bytes = Limits { source_bytes: 1000, ..limits };
    assert_eq!(plan(&transform, &bytes, Some(1000)), Ok(240));
    assert_eq!(plan(&transform, &bytes, Some(1001)), over(Limit::SourceBytes, 1001, 1000));

    let side = Limits { output_side: 239, ..limits };
    assert_eq!(plan(&transform, &side, None), over(Limit::OutputSide, 240, 239));
    let wide =
        Transform { width: Some(16_384), fit: tintype_core::Fit::Contain, ..thumb(FormatChoice::WebP) };
    let side = Limits { output_side: 20_000, memory: u64::MAX, ..limits };
    assert_eq!(plan(&wide, &side, None), over(Limit::OutputSide, 16_384, 16_383)); // VP8's own limit

    let memory = Limits { memory: 1 << 20, ..limits };
    assert!(matches!(
        plan(&transform, &memory, None),
        Err(Error::TooLarge { limit: Limit::Memory, allowed: 0x10_0000, .. })
    ));
    assert_eq!(limits.check_header_bytes(limits.header_bytes), Ok(()));
    let over_header = limits.check_header_bytes(limits.header_bytes + 1);
    assert_eq!(over_header.map(|()| 0), over(Limit::HeaderBytes, (4 << 20) + 1, 4 << 20));
}

#[test]
fn the_source_itself_may_be_the_answer() {
    let keep = Transform { format: FormatChoice::Auto { webp: false }, ..Transform::default() };
    let may = |path: &str, transform: &Transform| {
        let header = header(&sample(path)).unwrap();
        Plan::new(&header, transform, &Limits::default(), Input::default()).unwrap().may_return_source()
    };
    assert!(may("landscape.jpg", &keep));
    assert!(may("landscape.jpg", &Transform { width: Some(1920), ..keep }));
    assert!(!may("landscape.jpg", &Transform { width: Some(1919), ..keep }));
    assert!(!may("orientation-6.jpg", &keep), "its pixels must be turned");
    assert!(!may("photo.webp", &keep), "the client does not take WebP");
    assert!(may("photo.webp", &Transform { format: FormatChoice::Auto { webp: true }, ..keep }));
    assert!(!may("landscape.jpg", &Transform { format: FormatChoice::Png, ..keep }));
    assert!(!may("landscape-progressive.jpg", &Transform { format: FormatChoice::BaselineJpeg, ..keep }));
    assert!(may("graphic.gif", &keep), "every client shows a GIF");
}

#[test]
fn cost_and_format_follow_from_the_header() {
    let plan = |path: &str, format| {
        let header = header(&sample(path)).unwrap();
        Plan::new(&header, &thumb(format), &Limits::default(), Input::default()).unwrap()
    };
    // 1920×1280 4:2:0: 120 × 80 MCUs of 6 blocks.
    let cost = plan("landscape.jpg", FormatChoice::Jpeg).cost();
    assert_eq!((cost.blocks, cost.rows), (120 * 80 * 6, 1280));
    assert_eq!(cost.samples, 1920 * 1280 * 3 + 240 * 160 * 3);
    assert_eq!(plan("graphic.png", FormatChoice::Png).cost().blocks, 0);

    let auto = |webp| FormatChoice::Auto { webp };
    for (path, webp, want) in [
        ("landscape.jpg", false, Format::Jpeg),
        ("alpha.png", false, Format::Png),
        ("graphic.png", false, Format::Jpeg),
        ("transparent.gif", false, Format::Png),
        ("landscape.jpg", true, Format::WebP),
        ("alpha.png", true, Format::WebP),
    ] {
        assert_eq!(plan(path, auto(webp)).output().format, want, "{path}");
    }
}
