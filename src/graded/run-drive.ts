import type { Logger } from 'pino';
import type { ReadCert } from '../catalog/cert.ts';
import type { Db } from '../db/client.ts';
import { isTold, type Live, wake } from './run-live.ts';
import { appendEvents, letGo } from './run-store.ts';
import type { GradedLookup } from './shapes.ts';
import type { Progress } from './stages.ts';

export type RunsWorld = {
  db: Db;
  log: Logger;
  value(cert: ReadCert, signal: AbortSignal): AsyncGenerator<Progress, GradedLookup>;
  /** What is answered for a valuation that fails, or that processes died of. */
  givenUp(cert: ReadCert): Promise<GradedLookup>;
};

/** A run that so many processes died of is given up. */
const MAX_ATTEMPTS = 4;

/**
 * Runs a valuation that this process has claimed to its end, unless `live.own` is aborted. What it tells is written before
 * anybody here hears of it: whoever takes up the run has told the same. Never throws.
 */
export async function driveRun(
  { db, log, value, givenUp }: RunsWorld,
  live: Live,
  { owner, attempts, over }: { owner: string; attempts: number; over(live: Live): void },
): Promise<void> {
  const { cert } = live;
  const own = new AbortController();
  const { signal } = own;
  live.own = own;
  signal.addEventListener('abort', () => {
    if (live.own === own) live.own = null;
  });
  const pending: string[] = [];
  let writing = Promise.resolve();
  let isWriting = false;

  async function write(ends: boolean): Promise<void> {
    isWriting = true;
    try {
      while (pending.length > 0 && !signal.aborted) {
        const events = pending.splice(0);
        if (!(await appendEvents(db, cert, { owner, events, ends }))) own.abort();
        if (signal.aborted) return;
        live.log.push(...events);
        wake(live);
      }
    } finally {
      isWriting = false;
    }
  }

  try {
    const lookup = await comesTo();
    await writing;
    if (signal.aborted) return;
    pending.push(`result ${JSON.stringify(lookup)}`);
    await write(true);
    if (!signal.aborted) over(live);
  } catch (error) {
    if (signal.aborted) return;
    log.error({ err: error, cert: cert.cert }, 'a valuation could not be told of');
    live.fault = error;
    over(live);
    await letGo(db, cert, { owner, goesOn: true }).catch(() => {});
  } finally {
    own.abort();
  }

  async function comesTo(): Promise<GradedLookup | null> {
    if (attempts > MAX_ATTEMPTS) return givenUp(cert);
    try {
      return await lastOf(value(cert, signal));
    } catch (error) {
      if (signal.aborted) return null;
      log.error({ err: error, cert: cert.cert }, 'a valuation failed');
      return givenUp(cert);
    }
  }

  /** Tells of every step without waiting until that is written. */
  async function lastOf(steps: AsyncGenerator<Progress, GradedLookup>): Promise<GradedLookup | null> {
    while (true) {
      const step = await steps.next();
      if (step.done) return step.value;
      if (signal.aborted) return null;
      if (isTold(live.log, step.value)) continue;
      pending.push(`progress ${JSON.stringify(step.value)}`);
      if (isWriting) continue;
      writing = write(false);
      // Awaited at the end; a fault until then is not unhandled.
      writing.catch(() => {});
    }
  }
}
