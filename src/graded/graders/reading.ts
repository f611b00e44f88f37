import type { ServiceAnswer } from '../../http/outbound/service-client.ts';
import type { GraderAnswer } from './grader.ts';

export type Unavailable = Extract<GraderAnswer, { kind: 'unavailable' }>;

/** Longest text of a label that is believed, and longest address. */
const MOST_CHARS = 300;
const MOST_ADDRESS_CHARS = 2000;

/** Why nothing came back; `hint` is what the grader's documents say of it. */
export function unavailable(name: string, fault: Extract<ServiceAnswer, { ok: false }>, hint = ''): Unavailable {
  const { reason, message, retryAfterMs } = fault;
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  return { kind: 'unavailable', reason, message: `${name}: ${message}${hint && ` ${hint}`}`, ...wait };
}

/** It answered, but not as it should; `why` is a sentence. */
export function badAnswer(name: string, why: string): Unavailable {
  return { kind: 'unavailable', reason: 'bad_answer', message: `${name}: ${why}` };
}

/** A text or number as one line; null for nothing (missing, null, blank), undefined for what is not text of a label. */
export function readText(value: unknown): string | null | undefined {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'string' || value.length > MOST_CHARS) return undefined;
  return value.replace(/[\s\p{Cc}]+/gu, ' ').trim() || null;
}

/** The first year in a text (`2003-04` is 2003); null without one. */
export function readYear(text: string | null): number | null {
  const [year] = /(?<!\d)(?:18|19|20)\d\d(?!\d)/.exec(text ?? '') ?? [];
  return year === undefined ? null : Number(year);
}

/** A whole number from 0 to two thousand million; null for anything else. */
export function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 2e9 ? value : null;
}

/** An absolute http or https address; null for anything else. */
export function readAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > MOST_ADDRESS_CHARS || !URL.canParse(value)) return null;
  const { protocol, username, href } = new URL(value);
  return username === '' && (protocol === 'https:' || protocol === 'http:') ? href : null;
}

/** Whether two cert numbers are the same but for leading zeros. */
export function isSameCert(one: string, other: string): boolean {
  return one.replace(/^0+/, '') === other.replace(/^0+/, '');
}

/** What there is of the parts of a label, in one line. */
export function joinText(parts: readonly (string | number | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join(' ');
}
