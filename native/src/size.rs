//! Numbers of bytes as people write them: `5MiB`, `1.5 GB`, `65536`.

/// Reads a number of bytes. Units are B, kB, MB, GB, TB (powers of 1000) and KiB, MiB, GiB, TiB (powers of
/// 1024), in any case; without one it is bytes.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let unit: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "kib" => 1 << 10,
        "mib" => 1 << 20,
        "gib" => 1 << 30,
        "tib" => 1 << 40,
        _ => return Err("the unit is one of B, kB, MB, GB, TB, KiB, MiB, GiB, TiB".to_owned()),
    };
    let wrong = || "write a number of bytes such as 65536, 5MiB or 1.5GB".to_owned();
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    // Nine places after the point are more than anybody writes, and keep the sum within 128 bits.
    if fraction.is_empty() || fraction.len() > 9 {
        return Err(wrong());
    }
    let scale = 10_u128.pow(fraction.len() as u32);
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let fraction: u128 = fraction.parse().map_err(|_| wrong())?;
    let bytes = (u128::from(whole) * scale + fraction) * u128::from(unit) / scale;
    u64::try_from(bytes).map_err(|_| "this is more than any machine has".to_owned())
}

/// As [`parse`], for the memory of all requests: at least what the smallest picture takes.
pub(crate) fn parse_budget(text: &str) -> Result<u64, String> {
    let bytes = parse(text)?;
    if bytes < 8 << 20 {
        Err("this is less than 8MiB, too little for any picture".to_owned())
    } else {
        Ok(bytes)
    }
}

/// As [`parse`], for sizes of memory on this machine.
pub(crate) fn parse_memory(text: &str) -> Result<usize, String> {
    usize::try_from(parse(text)?).map_err(|_| "this is more than this machine can address".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        for (text, bytes) in [
            ("0", 0),
            ("65536", 65_536),
            ("5MiB", 5 << 20),
            ("5 mib", 5 << 20),
            ("1.5GB", 1_500_000_000),
            ("0.5KiB", 512),
            ("12b", 12),
        ] {
            assert_eq!(parse(text), Ok(bytes), "{text}");
        }
    }

    #[test]
    fn what_is_no_size() {
        for text in ["", "MiB", "-1", "1.2.3", "1.", ".5", "5 apples", "5M iB", "1e9", "99999999999TiB"] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
