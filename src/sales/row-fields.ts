import { parseDay } from '../lib/day.ts';

/** Reads the fields of rows of other systems: exactly, or rejected with a sentence that states why. */

/** Why a row is not a sale at all; such rows are kept in rejected_rows with their line. */
export type UnreadableField = { reason: string; message: string };

/** Characters that no id or word may have: control characters, and halves of a surrogate pair, which are not valid text. */
export const CONTROL = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const MAX_ID_LENGTH = 200;

/** The result of a checking function for a row that cannot be used. */
export function unreadable(reason: string, message: string): UnreadableField {
  return { reason, message };
}

/** True when a checking function found that the row cannot be used. */
export function isUnreadable<T extends object>(result: T | UnreadableField): result is UnreadableField {
  return 'reason' in result && 'message' in result;
}

export const ID_RULE = `is longer than ${MAX_ID_LENGTH} characters or has control characters`;

const INSTANT =
  /^\d{4}-\d\d-\d\d(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d))?$/;

/** The first and the last instant whose year has four digits, 0001 to 9999, in UTC: the database has no year 0. */
const FIRST_MS = Date.parse('0001-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An ISO date, or date and time with a zone, as milliseconds since the epoch; null for anything else. */
export function parseInstant(text: string): number | null {
  if (!INSTANT.test(text) || parseDay(text.slice(0, 10)) === null) return null;
  const instantMs = Date.parse(text);
  return instantMs >= FIRST_MS && instantMs <= LAST_MS ? instantMs : null;
}

/** An id of another system: 1 to 200 characters, none of them a control character. */
export function isId(text: string): boolean {
  return text.length > 0 && text.length <= MAX_ID_LENGTH && !CONTROL.test(text);
}

/** What is wrong with a field that is not a date or time. */
export function badDate(field: string, text: string): UnreadableField {
  const isNoDay = INSTANT.test(text) && parseDay(text.slice(0, 10)) === null;
  const rule = 'is not a date (2026-11-21) or time with a zone (2026-11-21T18:30:00Z)';
  return unreadable('bad_date', `${field} ${show(text)} ${isNoDay ? NO_DAY : rule}`);
}

export const NO_DAY = 'names a day that does not exist';

/** A sale's detail with one more remark. */
export function withNote(detail: string | null, note: string | null): string | null {
  return detail !== null && note !== null ? `${detail}; ${note}` : (detail ?? note);
}

/** A web address that may be shown as a link. */
export function isWebAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[^\s<>"]+$/.test(text) && !CONTROL.test(text);
}

/** Text of a file as a message may show it: short, without control characters. */
export function show(text: string): string {
  const clean = text.replace(new RegExp(CONTROL, 'gu'), '\ufffd');
  return clean.length > 60 ? `"${wholeText(clean.slice(0, 60))}…"` : `"${clean}"`;
}

/** Text that is shown: NFC, without control characters, white space runs one space, at most 500 characters. */
export function cleanTitle(text: string): string {
  const clean = text
    .normalize('NFC')
    .replace(/[\s\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufeff]+/gu, ' ')
    .trim();
  return clean.length > 500 ? clean.slice(0, 500).replace(/\p{Cs}$/u, '') : clean;
}

/** Text that the database can store: zero bytes and halves of a surrogate pair, such as a cut leaves, are replaced. */
export function wholeText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, '\ufffd');
}

/** A certificate number without its grader's prefix, or null when it is not a number. */
export function readCert(text: string): string | null {
  const cert = text.toUpperCase().replace(/^(PSA|BGS|BVG|CGC|SGC)[ -]?(?=\d)/, '');
  return /^[A-Z0-9]{4,20}$/.test(cert) ? cert : null;
}

const TITLE_CERT = /\bcert(?:ificate|ification)?\.?(?:\s*(?:no|num|number)\b\.?)?\s*[#:]{0,2}\s*(\d{7,10})(?!\d)/gi;
const TITLE_GRADER = /\b(PSA|BGS|BVG|CGC|SGC)\b/gi;

/** The certificate number that a title states in words (`PSA 10 cert 12345678`), with one grader; null for none or several. */
export function certInTitle(title: string): string | null {
  const certs = new Set([...title.matchAll(TITLE_CERT)].map(([, digits]) => digits!));
  const graders = new Set([...title.matchAll(TITLE_GRADER)].map(([word]) => word.toUpperCase()));
  return certs.size === 1 && graders.size === 1 ? [...certs][0]! : null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `Sep 3, 2025` as `2025-09-03`; text of another form is returned as it is, for the date check to reject. */
export function englishDate(text: string): string {
  const match = /^([a-z]{3})[a-z]* (\d{1,2}), (\d{4})$/i.exec(text.trim());
  const month = match === null ? -1 : MONTHS.indexOf(match[1]!.toLowerCase());
  if (match === null || month === -1) return text;
  return `${match[3]}-${String(month + 1).padStart(2, '0')}-${match[2]!.padStart(2, '0')}`;
}
