/** W3C Datetime: reads all of its forms, and writes one. */

/**
 * Writes a W3C Datetime as §7 recommends: in UTC, in whole seconds, `2026-11-20T10:15:00Z`.
 * @throws RangeError for an invalid date or a year past 9999, which the format cannot hold
 */
export function formatDatetime(datetime: Date): string {
  const text = datetime.toISOString();
  if (text.length !== '2026-11-20T10:15:00.000Z'.length) {
    throw new RangeError(`${text} does not fit a W3C Datetime: the year must have four digits`);
  }
  return `${text.slice(0, 19)}Z`;
}

const TIME = String.raw`T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?(?:Z|([+-])(\d\d):(\d\d))`;
const DATETIME = new RegExp(String.raw`^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:${TIME})?)?)?$`);

/**
 * Reads any form of W3C Datetime, such as `2026`, `2026-11`, `2026-11-20`, `2026-11-20T10:15Z` and `2026-11-20T11:15:00.25+01:00`.
 * @returns the first moment of the datetime in whole milliseconds, in UTC if it names no zone; undefined for any other text
 */
export function parseDatetime(text: string): Date | undefined {
  const parts = DATETIME.exec(text);
  if (parts === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', fraction = ''] = parts;
  const [sign, zoneHours, zoneMinutes] = [parts[8], Number(parts[9] ?? 0), Number(parts[10] ?? 0)];
  if (zoneHours > 23 || zoneMinutes > 59 || hour === '24') return undefined;
  const local = new Date(
    `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`,
  );
  // `Date` takes a day that the month does not have for one of the next month.
  if (local.getUTCDate() !== Number(day)) return undefined;
  const offset = (zoneHours * 60 + zoneMinutes) * 60_000;
  const datetime = new Date(local.getTime() - (sign === '-' ? -offset : offset));
  // In UTC, the moment may be in a year that the format cannot hold.
  return /^\d{4}-/.test(datetime.toISOString()) ? datetime : undefined;
}

/** Writes a datetime in UTC for names of files: `20261120T101500Z`. @throws RangeError as `formatDatetime` does */
export function compactDatetime(datetime: Date): string {
  return formatDatetime(datetime).replace(/[-:]/g, '');
}
