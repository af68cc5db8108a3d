// Numbers and names as text.

/** 999 B, 4.2 kB, 1.53 MB: thousands, as downloads are counted. */
export function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const [value, unit] = bytes < 999_500 ? [bytes / 1000, "kB"] : [bytes / 1e6, "MB"];
  return `${value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
}

/** 12 ms, 0.4 ms, 1.35 s. */
export function time(millis) {
  if (millis >= 1000) return `${(millis / 1000).toFixed(2)} s`;
  return `${millis.toFixed(millis < 10 ? 1 : 0)} ms`;
}

/** 97.3 %; a minus sign where the thumbnail is larger than its source. */
export function saving(before, after) {
  if (before === 0) return "–";
  const percent = (100 * (before - after)) / before;
  const digits = Math.abs(percent) >= 100 || Number.isInteger(percent) ? 0 : 1;
  return `${percent.toFixed(digits).replace("-", "−")} %`;
}

/** 1920 × 1280. */
export const box = (width, height) => `${width} × ${height}`;

/** A file's name as a source's path: no folder, not hidden. */
export const pathOf = (name) => name.replace(/[/\\\0]/g, "_").replace(/^\.+/, "") || "picture";

/** A request target. Values stay as typed but for what would end the query. */
export function target(path, pairs, more) {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  const query = [...pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`), more.replace(/^[?&]+/, "")];
  const text = query.filter((part) => part !== "").join("&");
  return `/img/${encoded}${text ? `?${text}` : ""}`;
}
