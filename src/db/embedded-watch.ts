import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError, type EmbeddedLog } from './embedded-error.ts';
import { type Lease, release } from './embedded-lease.ts';
import { findPostmaster, type Postmaster } from './embedded-postmaster.ts';

/** A lease on a server that takes connections. */
export type Hold = { lease: Lease; server: Postmaster };

const LOOK_EVERY_MS = 1_000;

/**
 * Starts the server again when it has ended while we are attached: a crash, or a kernel short of memory. `end` stops
 * watching and returns the lease to give back; `onLost` is called once when the server cannot be started again.
 */
export function keepRunning(
  folder: string,
  first: Hold,
  again: () => Promise<Hold>,
  log: EmbeddedLog,
  onLost: (error: Error) => void,
): { end(): Promise<Lease> } {
  const ending = new AbortController();
  let hold = first;
  async function watch(): Promise<void> {
    while (await pause(ending.signal)) {
      if (!existsSync(folder))
        throw new EmbeddedError(
          `The folder of the embedded PostgreSQL, ${folder}, is gone: mount it, and start again.`,
        );
      if (findPostmaster(folder) !== null) continue;
      log.warn('the database has ended by itself: starting it again');
      const next = await again();
      release(folder, hold.lease);
      hold = next;
      // Every connection that is opened from now on would look for the socket in vain.
      if (hold.server.socketFolder !== first.server.socketFolder)
        throw new EmbeddedError(`The embedded PostgreSQL of ${folder} has moved its socket: start again.`);
      log.info('the database runs again');
    }
  }
  const watching = watch().catch((error: Error) => {
    if (!ending.signal.aborted) onLost(error);
  });
  return {
    async end() {
      ending.abort();
      await watching;
      return hold.lease;
    },
  };
}

/** Waits until it is time to look again; false when the watch is over. */
function pause(signal: AbortSignal): Promise<boolean> {
  return sleep(LOOK_EVERY_MS, true, { ref: false, signal }).catch(() => false);
}
