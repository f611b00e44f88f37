import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 250;

/** SQLSTATEs and a code of several addresses of a server that accepts no connection. */
const UNREACHED: ReadonlySet<string | undefined> = new Set(['57P03', '08001', 'ECONNREFUSED']);
/** What a server that is being shut down does to a connection that it has just accepted; the driver's own fault has no code. */
const ENDED: ReadonlySet<string | undefined> = new Set(['57P01', '57P02', 'ECONNRESET', 'EPIPE']);

/** Whether an error says that no connection was made: nothing was sent, so the same may be tried again. */
function isUnreached(error: Error & { code?: string; syscall?: string; isUnsent?: true }): boolean {
  if (error.syscall === 'connect' || UNREACHED.has(error.code)) return true;
  return error.isUnsent === true && (ENDED.has(error.code) || /^Connection terminated/.test(error.message));
}

type ConnectPatience = {
  /** Connects, and throws where that cannot be done. */
  connect: () => Promise<unknown>;
  /** How long each piece of work waits for a connection. */
  withinMs: number;
  /** How long the database may be away before nothing waits for it any more: what waits must not pile up. */
  givenUpAfterMs?: number;
  /** Nothing waits once it is aborted. */
  stopping?: AbortSignal;
};

export type PatientWork = {
  /**
   * Makes work wait for a database that accepts no connection, such as while it is restarted, and then does it once more. All that
   * waits shares one look, every quarter of a second. Other faults are thrown at once.
   */
  wait<T>(work: () => Promise<T>): Promise<T>;
  /** Whether work has met a database that accepts no connection in the last `ms`. */
  wasAwayWithin(ms: number): boolean;
};

export function openPatience({
  connect,
  withinMs,
  givenUpAfterMs = 2 * withinMs,
  stopping,
}: ConnectPatience): PatientWork {
  /** Whether it is back, once that is known; null while nothing is known to be away. */
  let back: Promise<boolean> | null = null;
  let isGivenUp = false;
  let awayAtMs = Number.NEGATIVE_INFINITY;

  async function look(): Promise<boolean> {
    const untilMs = performance.now() + givenUpAfterMs;
    while (performance.now() < untilMs && stopping?.aborted !== true) {
      // What nobody waits for keeps no process.
      await sleep(RETRY_MS, undefined, { ref: false });
      const isBack = await connect().then(
        () => true,
        () => false,
      );
      awayAtMs = performance.now();
      if (!isBack) continue;
      back = null;
      return true;
    }
    isGivenUp = true;
    return false;
  }

  async function wait<T>(work: () => Promise<T>): Promise<T> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      try {
        const result = await work();
        if (isGivenUp) [back, isGivenUp] = [null, false];
        return result;
      } catch (error) {
        if (stopping?.aborted || !isUnreached(error as Error)) throw error;
        awayAtMs = performance.now();
        back ??= look();
        if (!(await isTrueBy(back, untilMs, stopping))) throw error;
      }
    }
  }

  return { wait, wasAwayWithin: (ms) => performance.now() - awayAtMs < ms };
}

/** Whether `back` is true before a moment, and before `stopping`; a process that waits for that does not end. */
async function isTrueBy(back: Promise<boolean>, untilMs: number, stopping?: AbortSignal): Promise<boolean> {
  const settled = new AbortController();
  const signal = stopping ? AbortSignal.any([settled.signal, stopping]) : settled.signal;
  const late = sleep(Math.max(untilMs - performance.now(), 0), false, { signal }).catch(() => false);
  return await Promise.race([back, late]).finally(() => settled.abort());
}
