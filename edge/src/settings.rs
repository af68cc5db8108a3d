//! What the operator has set: variables and secrets in, typed settings out. `wrangler.toml` explains each.

use std::cell::RefCell;
use std::rc::Rc;

use tintype_core::Limits;
use tintype_instance::INSTANCE_BYTES;
use tintype_request::{Rules, SigningKey};
use worker::Env;

/// Everything set.
#[derive(Debug)]
pub(crate) struct Settings {
    /// What is asked of requests.
    pub(crate) rules: Rules,
    /// What is asked of sources and results.
    pub(crate) limits: Limits,
    /// Bytes for all requests in work together.
    pub(crate) memory: u64,
    /// An instance with more memory than this is not kept.
    pub(crate) keep: u64,
    /// Milliseconds a request may take.
    pub(crate) timeout: u32,
    /// Where sources are, without a slash at the end; not looked at where there is a bucket.
    pub(crate) base: Option<String>,
    /// Whether answers carry figures about this Worker.
    pub(crate) debug: bool,
}

impl Settings {
    /// The settings, read at an isolate's first request. The error names the variable.
    pub(crate) fn of(env: &Env) -> Result<Rc<Settings>, String> {
        thread_local! {
            static READ: RefCell<Option<Rc<Settings>>> = const { RefCell::new(None) };
        }
        if let Some(settings) = READ.with_borrow(Clone::clone) {
            return Ok(settings);
        }
        let settings = Rc::new(Settings::read(env)?);
        READ.set(Some(Rc::clone(&settings)));
        Ok(settings)
    }

    fn read(env: &Env) -> Result<Settings, String> {
        let memory = number(env, "MEMORY_BYTES", 96 << 20)?;
        let rules = Rules {
            keys: keys(env)?,
            max_side: small_number(env, "MAX_SIDE", 4096)?,
            max_age: small_number(env, "MAX_AGE_SECONDS", 86_400)?,
        };
        let limits = Limits {
            source_pixels: number(env, "SOURCE_PIXELS", 100_000_000)?,
            source_bytes: number(env, "SOURCE_BYTES", 32 << 20)?,
            output_side: rules.max_side,
            memory: memory.min(INSTANCE_BYTES),
            ..Limits::default()
        };
        Ok(Settings {
            rules,
            limits,
            memory,
            keep: number(env, "KEEP_BYTES", 8 << 20)?,
            timeout: small_number(env, "TIMEOUT_SECONDS", 30)?.saturating_mul(1000),
            base: text(env, "SOURCE_BASE").map(|base| base.trim_end_matches('/').to_owned()),
            debug: text(env, "DEBUG_HEADERS").is_some_and(|value| value != "0"),
        })
    }
}

/// A variable's value; one that is empty counts as not set.
fn text(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string()).filter(|value| !value.is_empty())
}

fn number(env: &Env, name: &str, default: u64) -> Result<u64, String> {
    match text(env, name) {
        Some(value) => value.parse().map_err(|_| format!("{name}: {value:?} is not a whole number")),
        None => Ok(default),
    }
}

fn small_number(env: &Env, name: &str, default: u32) -> Result<u32, String> {
    number(env, name, default.into())?.try_into().map_err(|_| format!("{name}: too large"))
}

/// The keys in `TINTYPE_KEYS`, with commas between them.
fn keys(env: &Env) -> Result<Vec<SigningKey>, String> {
    let Ok(secret) = env.secret("TINTYPE_KEYS") else { return Ok(Vec::new()) };
    let secret = secret.to_string();
    if secret.is_empty() {
        return Ok(Vec::new());
    }
    let read = |key: &str| SigningKey::from_text(key).map_err(|error| format!("TINTYPE_KEYS: {error}"));
    secret.split(',').map(read).collect()
}
