import { timingSafeEqual } from 'node:crypto';
import type { Fingerprint } from '../../lib/fingerprint.ts';

/** A place in a run; `isLast` where nothing follows it. Run 0 is an answer from what is stored. */
export type RunPlace = { runId: number; place: number; isLast: boolean };

const MAC_BYTES = 12;

/** The id of an event about a subject, such as a cert: opaque to clients, and known to be ours when it comes back. */
export function eventId(fingerprint: Fingerprint, subject: string, place: RunPlace): string {
  const said = `${place.runId.toString(36)}-${place.place.toString(36)}${place.isLast ? '.' : ''}`;
  return `${said}~${macOf(fingerprint, subject, said)}`;
}

/** Reads an id; null for one that was not issued for this subject. */
export function readEventId(fingerprint: Fingerprint, subject: string, id: string): RunPlace | null {
  const [, said, run, place, last, mac] = /^(([0-9a-z]{1,11})-([0-9a-z]{1,4})(\.?))~([\w-]{16})$/.exec(id) ?? [];
  if (said === undefined) return null;
  const isOurs = timingSafeEqual(Buffer.from(mac!), Buffer.from(macOf(fingerprint, subject, said)));
  const number = (text: string) => Number.parseInt(text, 36);
  return isOurs ? { runId: number(run!), place: number(place!), isLast: last === '.' } : null;
}

function macOf(fingerprint: Fingerprint, subject: string, said: string): string {
  return fingerprint(`graded event ${subject} ${said}`).subarray(0, MAC_BYTES).toString('base64url');
}
