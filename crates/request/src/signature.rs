//! Signed addresses: made, and checked before anything is fetched.
//!
//! The signature is base64url (without padding) of HMAC-SHA256 over the canonical path and query, with
//! `exp` in its place among the options and without `sig`. What is ignored in an address is not signed, and
//! every spelling of an address has the same signature. A signed address is that text with `sig` at the end.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

use crate::query::Pair;
use crate::{Refusal, Request, Rules, values};

/// A secret that signs addresses.
#[derive(Clone)]
pub struct SigningKey {
    /// HMAC with the key already taken in.
    mac: Hmac<Sha256>,
}

impl SigningKey {
    /// The key made of a text's UTF-8 bytes, all of them: white space counts.
    pub fn from_text(text: &str) -> Result<SigningKey, KeyError> {
        if text.is_empty() {
            return Err(KeyError);
        }
        Hmac::new_from_slice(text.as_bytes()).map(|mac| SigningKey { mac }).map_err(|_| KeyError)
    }

    fn mac_of(&self, text: &str) -> Hmac<Sha256> {
        self.mac.clone().chain_update(text)
    }
}

impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SigningKey(secret)")
    }
}

/// A signing key without a single byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyError;

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a signing key must not be empty")
    }
}

impl std::error::Error for KeyError {}

/// The canonical form of a target, with `exp` and `sig`: what to put into a page.
///
/// `expires` is the last second of validity in Unix time; `None` keeps the target's own `exp`, if any. A
/// `sig` in the target is replaced. Of the rules, only the limit on sizes counts.
///
/// ```
/// use tintype_request::{Rules, SigningKey, sign};
///
/// let key = SigningKey::from_text("correct horse battery staple")?;
/// assert_eq!(
///     sign("/img/a.jpg?width=240&height=100", None, &key, &Rules::default())?,
///     "/img/a.jpg?h=100&w=240&sig=XGvzWIU1gvj9m5jsuySE_xoomZbvugfaWzdHxEfvxJM",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn sign(target: &str, expires: Option<u64>, key: &SigningKey, rules: &Rules) -> Result<String, Refusal> {
    let (request, seal) = Request::read(target, None, rules)?;
    let mut text = request.canonical_text(expires.or(seal.expires));
    let signature = URL_SAFE_NO_PAD.encode(key.mac_of(&text).finalize().into_bytes());
    text.push(if text.contains('?') { '&' } else { '?' });
    text.push_str("sig=");
    text.push_str(&signature);
    Ok(text)
}

/// What an address says about its own validity.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seal {
    pub(crate) expires: Option<u64>,
    signature: Option<String>,
}

impl Seal {
    /// Takes `exp` and `sig` out of the pairs.
    pub(crate) fn take(pairs: &mut Vec<Pair>) -> Result<Seal, Refusal> {
        let mut last = |name: &str| {
            // The last one counts, as with every option.
            pairs.extract_if(.., |(key, _)| key == name).last().map(|(_, value)| value)
        };
        let expires = last("exp").map(|value| {
            let fault = "is not a Unix time in whole seconds";
            values::whole(&value).ok_or_else(|| Refusal::value("exp", &value, fault))
        });
        let signature = last("sig");
        if signature.as_deref() == Some("") {
            return Err(Refusal::value("sig", "", "is not a signature"));
        }
        Ok(Seal { expires: expires.transpose()?, signature })
    }

    /// Checks the signature, if the rules ask for one, and only then believes `exp`.
    pub(crate) fn check(&self, request: &Request, unix_time: u64, rules: &Rules) -> Result<(), Refusal> {
        if !rules.keys.is_empty() {
            let signature = self.signature.as_deref().ok_or_else(Refusal::signature_missing)?;
            let bytes = URL_SAFE_NO_PAD.decode(signature).map_err(|_| Refusal::signature_mismatch())?;
            let text = request.canonical_text(self.expires);
            // `verify_slice` takes the same time wherever the bytes differ.
            let fits = |key: &SigningKey| key.mac_of(&text).verify_slice(&bytes).is_ok();
            if !rules.keys.iter().any(fits) {
                return Err(Refusal::signature_mismatch());
            }
        }
        if self.expires.is_some_and(|expires| expires < unix_time) { Err(Refusal::expired()) } else { Ok(()) }
    }
}
