//! The command line's grammar. What a thumbnail's options may be is not decided here but by the request
//! crate: their values stay text.

use std::{net::SocketAddr, path::PathBuf};

use clap::{ArgAction, Args, Parser, Subcommand, builder::NonEmptyStringValueParser};

use crate::size;

/// `tintype`'s arguments.
#[derive(Debug, Parser)]
#[command(name = "tintype", version, about = "Small pictures on demand", long_about = LONG_ABOUT)]
#[command(propagate_version = true, after_help = "`tintype COMMAND --help` tells more, with examples.")]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const LONG_ABOUT: &str = "Small pictures on demand: serves thumbnails of a folder of pictures over HTTP, \
    makes single ones, tells what a picture file holds, and signs addresses.\n\n\
    Reads JPEG, PNG, WebP and GIF; writes WebP, JPEG and PNG.";

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve thumbnails of a folder's pictures over HTTP
    #[command(after_help = SERVE_EXAMPLES)]
    Serve(Box<Serve>),
    /// Make one thumbnail
    #[command(disable_help_flag = true, after_help = THUMB_EXAMPLES)]
    Thumb(Box<Thumb>),
    /// Print what a picture's header tells, as JSON
    #[command(after_help = INFO_EXAMPLES)]
    Info(Info),
    /// Print a picture's address with a signature
    #[command(after_help = SIGN_EXAMPLES)]
    Sign(Sign),
}

const SERVE_EXAMPLES: &str = "\
Examples:
  tintype serve --root ./pictures
      then open http://127.0.0.1:8080/img/x.jpg?w=240
  tintype serve --root /srv/pictures --listen 0.0.0.0:80 --admin 127.0.0.1:9090
  TINTYPE_KEY=\"$(cat key)\" tintype serve --root /srv/pictures --memory 2GiB --spill-dir /var/tmp

SIGTERM and SIGINT stop accepting and finish what is in flight; a second one ends at once.";

const THUMB_EXAMPLES: &str = "\
Examples:
  tintype thumb in.jpg out.webp -w 240
  tintype thumb in.png out.jpg -w 300 -h 200 --fit cover -g top
  tintype thumb in.jpg out.webp -w 96 -h 96 --fit cover -g auto --radius max
  tintype thumb - - -w 240 -f webp <in.jpg >out.webp";

const INFO_EXAMPLES: &str = "\
Examples:
  tintype info in.jpg
  tintype info - <in.jpg";

const SIGN_EXAMPLES: &str = "\
Examples:
  tintype sign '/img/x.jpg?w=240' --key \"$KEY\"
  TINTYPE_KEY=\"$KEY\" tintype sign '/img/x.jpg?w=240' --expires +3600";

/// `tintype serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Folder of the pictures; nothing outside it is ever served
    #[arg(long, value_name = "DIR", env = "TINTYPE_ROOT")]
    pub root: PathBuf,
    /// Address for pictures; port 0 takes a free one
    #[arg(long, value_name = "ADDR", env = "TINTYPE_LISTEN", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// Address for /metrics and /healthz; without it there is none
    #[arg(long, value_name = "ADDR", env = "TINTYPE_ADMIN")]
    pub admin: Option<SocketAddr>,
    /// Folder of a page to serve at /, read once at the start; without it there is none. `cargo xtask page` builds
    /// the demo
    #[arg(long, value_name = "DIR", env = "TINTYPE_PAGE")]
    pub page: Option<PathBuf>,
    /// Key whose signatures are accepted; several, separated by commas, to rotate them. With a key,
    /// addresses must be signed. Others can read a process's arguments: prefer the environment
    #[arg(long = "key", value_name = "TEXT", env = "TINTYPE_KEY", hide_env_values = true)]
    #[arg(value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub keys: Vec<String>,
    /// Seconds for which caches may keep a thumbnail
    #[arg(long, value_name = "SECS", env = "TINTYPE_MAX_AGE", default_value_t = 86_400)]
    pub max_age: u32,
    /// Threads that decode and encode [default: the machine's cores]
    #[arg(long, value_name = "N", env = "TINTYPE_THREADS")]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Requests that may wait for a thread; further ones are refused with 503
    #[arg(long, value_name = "N", env = "TINTYPE_QUEUE", default_value_t = 64)]
    pub queue: u16,
    /// Memory for all requests together; they wait for it, and one that needs more than all is refused
    #[arg(long, value_name = "BYTES", env = "TINTYPE_MEMORY", default_value = "1GiB")]
    #[arg(value_parser = size::parse_budget)]
    pub memory: u64,
    /// Buffers above this size are memory-mapped files
    #[arg(long, value_name = "BYTES", env = "TINTYPE_SPILL_THRESHOLD", default_value = "5MiB")]
    #[arg(value_parser = size::parse_memory)]
    pub spill_threshold: usize,
    /// Folder of those files: on a disk, for in a tmpfs they take memory [default: the system's temporary
    /// folder]
    #[arg(long, value_name = "DIR", env = "TINTYPE_SPILL_DIR")]
    pub spill_dir: Option<PathBuf>,
    /// Seconds that a request may take, waiting included
    #[arg(long, value_name = "SECS", env = "TINTYPE_TIMEOUT", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub timeout: u32,
    /// Pixels of the largest source
    #[arg(long, value_name = "N", env = "TINTYPE_MAX_SOURCE_PIXELS", default_value_t = 100_000_000)]
    pub max_source_pixels: u64,
    /// Bytes of the largest source
    #[arg(long, value_name = "BYTES", env = "TINTYPE_MAX_SOURCE_BYTES", default_value = "100MiB")]
    #[arg(value_parser = size::parse)]
    pub max_source_bytes: u64,
    /// Pixels of a thumbnail's longest side
    #[arg(long, value_name = "N", env = "TINTYPE_MAX_SIDE", default_value_t = 8192)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub max_side: u32,
    /// Seconds that requests in flight get to finish after SIGTERM
    #[arg(long, value_name = "SECS", env = "TINTYPE_DRAIN_TIMEOUT", default_value_t = 30)]
    pub drain_timeout: u32,
}

/// `tintype thumb`.
#[derive(Debug, Args)]
pub(crate) struct Thumb {
    /// The source; - is the standard input
    pub input: PathBuf,
    /// The thumbnail; an existing file is replaced at once and as a whole. - is the standard output
    pub output: PathBuf,
    /// Width in pixels
    #[arg(short, long, value_name = "PIXELS")]
    pub width: Option<String>,
    /// Height in pixels
    #[arg(short = 'h', long, value_name = "PIXELS")]
    pub height: Option<String>,
    /// How the picture is laid into width × height: scale-down (the default), contain, cover, crop, aspect-crop,
    /// pad, squeeze
    #[arg(long)]
    pub fit: Option<String>,
    /// What a crop keeps: a side or corner (top, bottom-left, …), a point such as 0.5x0.25, or auto
    #[arg(short, long)]
    pub gravity: Option<String>,
    /// Device pixels per pixel, 1 to 4
    #[arg(long)]
    pub dpr: Option<String>,
    /// Cut off first: 'top;right;bottom;left' in pixels or percent, or border for what surrounds the picture in one
    /// colour
    #[arg(long)]
    pub trim: Option<String>,
    /// Cut off at the left, in pixels or percent; with the next three, a rectangle to trim to
    #[arg(long, value_name = "LENGTH")]
    pub trim_left: Option<String>,
    /// Cut off at the top
    #[arg(long, value_name = "LENGTH")]
    pub trim_top: Option<String>,
    /// Width that stays
    #[arg(long, value_name = "LENGTH")]
    pub trim_width: Option<String>,
    /// Height that stays
    #[arg(long, value_name = "LENGTH")]
    pub trim_height: Option<String>,
    /// Colour of the border to trim [default: the first pixel's]
    #[arg(long, value_name = "COLOR")]
    pub trim_border_color: Option<String>,
    /// How far the border's samples may be from that colour, 0 to 255 [default: 10]
    #[arg(long, value_name = "N")]
    pub trim_border_tolerance: Option<String>,
    /// Pixels of the border to keep
    #[arg(long, value_name = "PIXELS")]
    pub trim_border_keep: Option<String>,
    /// Mirror: h, v or hv, before rotating
    #[arg(long)]
    pub flip: Option<String>,
    /// Turn clockwise by 90, 180 or 270 degrees
    #[arg(long)]
    pub rotate: Option<String>,
    /// Colour under what is transparent and around what is padded
    #[arg(long, value_name = "COLOR")]
    pub background: Option<String>,
    /// Width of a border around the picture
    #[arg(long, value_name = "PIXELS")]
    pub border_width: Option<String>,
    /// Its colour [default: black]
    #[arg(long, value_name = "COLOR")]
    pub border_color: Option<String>,
    /// Its width at the top
    #[arg(long, value_name = "PIXELS")]
    pub border_top: Option<String>,
    /// Its width at the right
    #[arg(long, value_name = "PIXELS")]
    pub border_right: Option<String>,
    /// Its width at the bottom
    #[arg(long, value_name = "PIXELS")]
    pub border_bottom: Option<String>,
    /// Its width at the left
    #[arg(long, value_name = "PIXELS")]
    pub border_left: Option<String>,
    /// Radius of rounded corners, or max
    #[arg(long, value_name = "PIXELS")]
    pub radius: Option<String>,
    /// fast: read the source no larger than the result needs
    #[arg(long)]
    pub speed: Option<String>,
    /// Quality, 1 to 100
    #[arg(short, long)]
    pub quality: Option<String>,
    /// Effort of a lossy WebP, 0 (fastest) to 6 (smallest)
    #[arg(long, value_name = "0-6")]
    pub effort: Option<String>,
    /// Format: webp, jpeg, baseline-jpeg, png [default: by the output's name]
    #[arg(short, long)]
    pub format: Option<String>,
    /// Fail on a damaged source instead of making the best of it
    #[arg(long)]
    pub strict: bool,
    /// Print help
    #[arg(long, action = ArgAction::Help)]
    pub help: Option<bool>,
}

/// `tintype info`.
#[derive(Debug, Args)]
pub(crate) struct Info {
    /// The picture; - is the standard input
    pub input: PathBuf,
}

/// `tintype sign`.
#[derive(Debug, Args)]
pub(crate) struct Sign {
    /// Path and query as the server gets them, such as '/img/x.jpg?w=240'
    pub target: String,
    /// The key, as the server has it; of several, separated by commas, the first
    #[arg(long = "key", value_name = "TEXT", env = "TINTYPE_KEY", hide_env_values = true)]
    #[arg(required = true, value_delimiter = ',', value_parser = NonEmptyStringValueParser::new())]
    pub keys: Vec<String>,
    /// When the address ends: seconds since 1970, or +SECS from now
    #[arg(long, value_name = "TIME", value_parser = Expiry::parse)]
    pub expires: Option<Expiry>,
}

/// An end given as a time or as a duration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Expiry {
    /// Seconds since 1970.
    At(u64),
    /// Seconds from now.
    In(u64),
}

impl Expiry {
    fn parse(text: &str) -> Result<Expiry, String> {
        let (number, make): (_, fn(u64) -> Expiry) = match text.strip_prefix('+') {
            Some(number) => (number, Expiry::In),
            None => (text, Expiry::At),
        };
        // `u64`'s own parser would take a second plus sign.
        if number.starts_with('+') {
            return Err("write seconds since 1970, or +SECS".to_owned());
        }
        number.parse().map(make).map_err(|_| "write seconds since 1970, or +SECS".to_owned())
    }
}

/// Whether an argument stands for standard input or output.
pub(crate) fn is_standard(path: &std::path::Path) -> bool {
    path.as_os_str() == "-"
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_grammar_holds() {
        Cli::command().debug_assert();
    }

    #[test]
    fn expiry() {
        assert_eq!(Expiry::parse("1900000000"), Ok(Expiry::At(1_900_000_000)));
        assert_eq!(Expiry::parse("+60"), Ok(Expiry::In(60)));
        for text in ["", "+", "++1", "-1", "tomorrow"] {
            assert!(Expiry::parse(text).is_err(), "{text}");
        }
    }
}
