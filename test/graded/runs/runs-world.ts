import { pino } from 'pino';
import { expect } from 'vitest';
import { type CertReading, type ReadCert, readCert } from '../../../src/catalog/cert.ts';
import { type Db, openDb } from '../../../src/db/client.ts';
import type { RunEvent } from '../../../src/graded/runs/run-events.ts';
import type { RunsWorld } from '../../../src/graded/runs/run-jobs.ts';
import { openRuns, type Runs } from '../../../src/graded/runs/runs.ts';
import { running } from '../../../src/graded/runs/stages.ts';
import type { GradedLookup, Reason } from '../../../src/graded/shapes.ts';
import type { FreshDatabase } from '../../support/database/database.ts';

/** The answer for a cert without a price. */
export function unfound({ cert, certNumber, company }: ReadCert, reason: Reason, warning: string): GradedLookup {
  const lookup = { cert, certNumber, company, found: false, grade: null, gradeLabel: null, certImages: null };
  return { ...lookup, reason, warning };
}

/** A valuation that a test leads step by step. */
export function ledValuation() {
  const steps: (() => void)[] = [];
  const begun: { cert: ReadCert; signal: AbortSignal }[] = [];
  const step = () => new Promise<void>((resolve) => void steps.push(resolve));
  const value: RunsWorld['value'] = async function* (cert, signal) {
    begun.push({ cert, signal });
    yield running('cert_lookup', 'one');
    await step();
    yield running('identify', 'two');
    await step();
    return unfound(cert, 'not_ingested', 'the end');
  };
  const next = async () => {
    await expect.poll(() => steps.length).toBeGreaterThan(0);
    steps.shift()!();
  };
  return { value, begun, next };
}

/** Processes, as the database sees them. Any of them may take up a run. */
export type Processes = {
  start(value: RunsWorld['value'], givenUp?: RunsWorld['givenUp'], through?: (db: Db) => Db): Promise<Runs>;
  stop(runs: Runs): Promise<void>;
  /** Ends all of them, and removes the jobs that they leave. */
  end(): Promise<void>;
};

export function processesOn(database: FreshDatabase): Processes {
  const open: { close(): Promise<void> }[] = [];
  return {
    async start(
      value,
      givenUp = async (cert) => unfound(cert, 'compute_incomplete', 'given up'),
      through = (db) => db,
    ) {
      const log = pino({ level: 'silent' });
      const db = openDb({ connection: database.connection, poolSize: 2 });
      const runs = await openRuns({ db: through(db), log, value, givenUp }, { graceMs: 200, sweepMs: 50 });
      open.push(db, runs);
      return runs;
    },
    async stop(runs) {
      open.splice(open.indexOf(runs), 1);
      await runs.close();
    },
    async end() {
      for (const one of open.splice(0).reverse()) await one.close();
      await database.db.query('delete from graphile_worker._private_jobs');
    },
  };
}

let count = 0;
/** A cert that no other test has. */
export function aCert(): ReadCert {
  const reading: CertReading = readCert(String(70000000 + count++));
  if (reading.kind === 'invalid') throw new Error('no cert');
  return reading;
}

/** Follows a run to its end. */
export function follow(runs: Runs, cert: ReadCert, more: Partial<Parameters<Runs['watch']>[1]> = {}) {
  const events: RunEvent[] = [];
  const leaving = new AbortController();
  const watch = runs.watch(cert, { forMs: 20_000, signal: leaving.signal, ...more });
  const end = (async (): Promise<'result' | 'left' | 'late'> => {
    for await (const event of watch) events.push(event);
    if (events.at(-1)?.name === 'result') return 'result';
    return leaving.signal.aborted ? 'left' : 'late';
  })();
  // Awaited by the tests that are about its end.
  end.catch(() => {});
  return { events, end, leave: () => leaving.abort() };
}

/** Of a process that is not meant to run anything. */
export const NO_ONE: RunsWorld['value'] = () => {
  throw new Error('this process must not run it');
};
