/** Numbers with their units, in words. */

/** Writes a number with a noun, such as `2 files`. @param one the noun @param many its plural. @default the noun and an s */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Writes a number, grouped in the English way on every machine; `toLocaleString` takes 16 ms for its first number. */
export function formatNumber(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Writes a number of bytes in decimal units, with three significant digits: `999 B`, `38.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** Writes a round number of bytes that somebody chose: `25 MiB`, `200 MB`, `1 GB`. */
export function formatLimit(bytes: number): string {
  if (bytes % 1024 ** 2 === 0) return `${bytes / 1024 ** 2} MiB`;
  return bytes % 1e9 === 0 ? `${bytes / 1e9} GB` : `${bytes / 1e6} MB`;
}

/** Writes a duration: `0.24 s`, `12.3 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
