import { randomUUID } from 'node:crypto';
import type { ReadCert } from '../catalog/cert.ts';
import { driveRun, type RunsWorld } from './run-drive.ts';
import { keyOf, type Live, newLive, type Told, toldOf, wake, woken } from './run-live.ts';
import {
  beatRuns,
  claimRun,
  letGo,
  makeJob,
  orphanedRuns,
  RUNS_CHANNEL,
  type RunKey,
  readRun,
  wantRuns,
} from './run-store.ts';

/** How a watch ended: with the result, before it (the run goes on as a job), or since the watcher left. */
export type WatchEnd = 'result' | 'late' | 'left';

export type Runs = {
  /**
   * Follows the run of a cert from its beginning, or from a place; begins one where there is none. After `forMs` the watch
   * is over and the run goes on as a job; when the signal aborts, it stops soon unless somebody else waits.
   */
  watch(
    cert: ReadCert,
    options: { from?: { runId: number; place: number } | null; forMs: number; signal: AbortSignal },
  ): AsyncGenerator<Told, WatchEnd>;
  /** Whether a run is under way, or ended some minutes ago: it can be followed from any place. */
  knows(cert: RunKey, runId: number): Promise<boolean>;
  /** Takes up runs whose process died, and finishes them; returns how many. */
  finishOrphans(signal: AbortSignal): Promise<number>;
  /** Lets go of what is run here: other processes take it up. */
  close(): Promise<void>;
};

type RunsTiming = {
  /** How often runs are looked after. */
  tickMs: number;
  /** Whoever lost the connection comes back within this, and finds the run still going. */
  graceMs: number;
};

const USUAL: RunsTiming = { tickMs: 1000, graceMs: 3000 };
const ORPHANS_AT_ONCE = 4;

/** Opens the runs of this process. Each cert is run by one process at a time; a dead one's runs are taken up within seconds. */
export async function openRuns(world: RunsWorld, { tickMs, graceMs } = USUAL): Promise<Runs> {
  const { db, log } = world;
  const owner = randomUUID();
  const lives = new Map<string, Live>();
  const opening = new Map<string, Promise<Live>>();
  let closed = false;

  function liveOf(cert: ReadCert): Live | Promise<Live> {
    const key = keyOf(cert);
    const live = lives.get(key);
    if (live !== undefined) return live;
    let promise = opening.get(key);
    if (promise === undefined) {
      promise = open(cert).finally(() => opening.delete(key));
      opening.set(key, promise);
    }
    return promise;
  }

  async function endedRun(cert: ReadCert, runId: number): Promise<Live | null> {
    const row = await readRun(db, cert);
    return row?.runId === runId && row.state === 'done' ? newLive(cert, row) : null;
  }

  async function open(cert: ReadCert): Promise<Live> {
    while (true) {
      const mine = await claimRun(db, cert, owner);
      const row = mine ?? (await readRun(db, cert));
      // Forgotten between the two statements: again.
      if (row === null) continue;
      const live = newLive(cert, row);
      if (!live.isOver) lives.set(keyOf(cert), live);
      if (mine !== null) void driveRun(world, live, { owner, attempts: mine.attempts, over });
      return live;
    }
  }

  function over(live: Live): void {
    live.isOver = true;
    if (lives.get(keyOf(live.cert)) === live) lives.delete(keyOf(live.cert));
    wake(live);
  }

  /** Brings a run of another process up to date, and takes it up when that process is gone. */
  async function refresh(live: Live): Promise<void> {
    if (live.own !== null || live.isOver) return;
    const row = await readRun(db, live.cert);
    if (live.own !== null || live.isOver) return;
    if (row === null || row.runId !== live.runId) {
      // It ended long ago and its end was not heard of: what is stored tells more.
      over(live);
      return;
    }
    if (row.events.length > live.log.length) {
      live.log.push(...row.events.slice(live.log.length));
      wake(live);
    }
    if (row.state === 'done') over(live);
    else if ((row.orphaned || row.state === 'stopped') && live.watchers > 0 && !closed) await takeUp(live);
  }

  async function takeUp(live: Live): Promise<void> {
    const mine = await claimRun(db, live.cert, owner);
    if (mine === null || mine.runId !== live.runId) return;
    live.log.push(...mine.events.slice(live.log.length));
    void driveRun(world, live, { owner, attempts: mine.attempts, over });
  }

  async function tick(): Promise<void> {
    const own = [...lives.values()].filter((live) => live.own !== null);
    const others = [...lives.values()].filter((live) => live.own === null);
    for (const live of others) if (live.watchers === 0) lives.delete(keyOf(live.cert));
    const waited = others.filter(({ watchers }) => watchers > 0);
    if (own.length > 0) {
      const kept = await beatRuns(db, owner, own.map(runKeyOf));
      const needed = new Map(kept.map((one) => [keyOf(one), one.needed]));
      for (const live of own) {
        const isNeeded = needed.get(keyOf(live.cert));
        // Another process took this one for dead.
        if (isNeeded === undefined) live.own?.abort();
        else if (!isNeeded) await stopIfLeft(live);
      }
    }
    if (waited.length > 0) {
      await wantRuns(db, waited.map(runKeyOf));
      for (const live of waited) await refresh(live);
    }
  }

  /** Nobody here waits for it any more, or comes back. */
  function isLeft({ watchers, isJob, leftMs }: Live): boolean {
    return watchers === 0 && !isJob && performance.now() - leftMs >= graceMs;
  }

  async function stopIfLeft(live: Live): Promise<void> {
    if (!isLeft(live)) return;
    lives.delete(keyOf(live.cert));
    live.own?.abort();
    await letGo(db, live.cert, { owner, goesOn: false });
  }

  let ticking = false;
  const timer = setInterval(() => {
    if (ticking || lives.size === 0) return;
    ticking = true;
    tick()
      .catch((error: unknown) => log.warn({ err: error }, 'valuations could not be looked after'))
      .finally(() => {
        ticking = false;
      });
  }, tickMs);
  timer.unref();

  await db.listen(RUNS_CHANNEL, (key) => {
    const live = lives.get(key);
    if (live !== undefined && live.own === null) void refresh(live).catch(() => {});
  });

  async function* watch(
    cert: ReadCert,
    { from = null, forMs, signal }: Parameters<Runs['watch']>[1],
  ): AsyncGenerator<Told, WatchEnd> {
    if (signal.aborted) return 'left';
    const endsMs = performance.now() + forMs;
    const live = (from && (await endedRun(cert, from.runId))) ?? (await liveOf(cert));
    live.watchers++;
    if (live.own === null) void wantRuns(db, [runKeyOf(live)]).catch(() => {});
    try {
      for (let place = from?.place ?? 0; ; place++) {
        while (place >= live.log.length) {
          if (live.fault !== null) throw live.fault;
          if (live.isOver) return 'late';
          if (signal.aborted) return 'left';
          const leftMs = endsMs - performance.now();
          if (leftMs <= 0) {
            live.isJob = true;
            await makeJob(db, cert);
            return 'late';
          }
          await woken(live, leftMs, signal);
        }
        const told = toldOf(live.runId, place, live.log[place]!);
        yield told;
        if (told.name === 'result') return 'result';
      }
    } finally {
      live.watchers--;
      live.leftMs = performance.now();
    }
  }

  async function finishOrphans(signal: AbortSignal): Promise<number> {
    let finished = 0;
    while (!signal.aborted) {
      const orphans = await orphanedRuns(db, ORPHANS_AT_ONCE);
      const done = await Promise.all(orphans.map((orphan) => finishOne(orphan, signal)));
      finished += done.filter(Boolean).length;
      // Those that cannot be taken up now are tried again the next time.
      if (orphans.length === 0 || !done.some(Boolean)) break;
    }
    return finished;
  }

  async function finishOne({ company, key, certNumber }: RunKey & { certNumber: string }, signal: AbortSignal) {
    const cert = { company, key, certNumber, cert: company + certNumber } as ReadCert;
    const live = await liveOf(cert);
    if (live.own === null) return false;
    live.isJob = true;
    live.watchers++;
    while (!live.isOver && live.own !== null && !signal.aborted) await woken(live, tickMs, signal);
    live.watchers--;
    return live.isOver && live.fault === null;
  }

  return {
    watch,
    async knows(cert, runId) {
      const row = await readRun(db, cert);
      return row !== null && row.runId === runId && row.state !== 'stopped';
    },
    finishOrphans,
    async close() {
      closed = true;
      clearInterval(timer);
      const own = [...lives.values()].filter((live) => live.own !== null);
      lives.clear();
      for (const live of own) {
        live.own!.abort();
        // Streams were ended just before: their readers come back elsewhere.
        await letGo(db, live.cert, { owner, goesOn: !isLeft(live) });
      }
    },
  };
}

function runKeyOf({ cert }: Live): RunKey {
  return cert;
}
