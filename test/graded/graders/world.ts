import { readConnections } from '../../../src/connections.ts';
import type { Db } from '../../../src/db/client.ts';
import type { Grader, Graders } from '../../../src/graded/graders/grader.ts';
import { openGraders } from '../../../src/graded/graders/open-graders.ts';

export const SECRET = 'secret-of-the-operator';
const NOON_MS = Date.parse('2026-06-30T12:00:00Z');
let count = 0;

/** The graders of connections written as an operator writes them; every id is one of its own unless it is given. */
export function gradersOf(db: Db, entries: readonly object[]): Graders {
  const graders = entries.map((entry) => ({ id: `g${count++}`, private: true, ...entry }));
  const { graders: connections } = readConnections(JSON.stringify({ graders }), 'connections.json', {
    TOKEN: SECRET,
    BROKEN: `${SECRET}\n`,
  });
  return openGraders({ db, clock: () => NOON_MS, random: () => 0 }, connections);
}

export function ask(grader: Grader | null, certNumber: string, signal = new AbortController().signal) {
  return grader!.lookUp(certNumber, signal);
}
