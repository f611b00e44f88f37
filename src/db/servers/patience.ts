import { setTimeout as sleep } from 'node:timers/promises';

const RETRY_MS = 250;

/** Codes that only a connection has that cannot be made: nothing was sent, so the same may be tried again. */
const UNREACHED: ReadonlySet<string | undefined> = new Set(['ECONNREFUSED', 'ENOENT', '57P03', '08001']);

type ConnectPatience = {
  /** Connects, and throws where that cannot be done. */
  connect: () => Promise<unknown>;
  /** How long each piece of work waits for a connection. */
  withinMs: number;
  /** How long the database may be away before nothing waits for it any more: what waits must not pile up. */
  givenUpAfterMs?: number;
};

/**
 * Makes work wait for a database that accepts no connection, such as while it is restarted, and then does it once more.
 * All that waits shares one look, every quarter of a second. Other faults are thrown at once.
 */
export function openPatience({ connect, withinMs, givenUpAfterMs = 2 * withinMs }: ConnectPatience) {
  /** Whether it is back, once that is known; null while nothing is known to be away. */
  let back: Promise<boolean> | null = null;
  let isGivenUp = false;

  async function look(): Promise<boolean> {
    const untilMs = performance.now() + givenUpAfterMs;
    while (performance.now() < untilMs) {
      // What nobody waits for keeps no process.
      await sleep(RETRY_MS, undefined, { ref: false });
      const isBack = await connect().then(
        () => true,
        () => false,
      );
      if (!isBack) continue;
      back = null;
      return true;
    }
    isGivenUp = true;
    return false;
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      try {
        const result = await work();
        if (isGivenUp) [back, isGivenUp] = [null, false];
        return result;
      } catch (error) {
        if (!UNREACHED.has((error as { code?: string }).code)) throw error;
        back ??= look();
        if (!(await isTrueBy(back, untilMs))) throw error;
      }
    }
  };
}

/** Whether `back` is true before a moment; a process that waits for that does not end. */
async function isTrueBy(back: Promise<boolean>, untilMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const late = sleep(Math.max(untilMs - performance.now(), 0), false, { signal });
  return await Promise.race([back, late]).finally(() => waiting.abort());
}
