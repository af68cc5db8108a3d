//! `tintype sign`: an address in, the signed address out.

use std::time::{SystemTime, UNIX_EPOCH};

use tintype_request::{Rules, SigningKey, sign};

use super::{CommandError, print_line};
use crate::cli::{Expiry, Sign};

/// Prints the signed target.
pub(crate) fn run(arguments: &Sign) -> Result<(), CommandError> {
    // clap has made sure that there is one.
    let text = arguments.keys.first().map_or("", String::as_str);
    let key = SigningKey::from_text(text).map_err(|error| CommandError::Usage(error.to_string()))?;
    let expires = arguments.expires.map(|expiry| match expiry {
        Expiry::At(unix_time) => unix_time,
        Expiry::In(seconds) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            now.as_secs().saturating_add(seconds)
        }
    });
    print_line(sign(&arguments.target, expires, &key, &Rules::default())?)
}
