import { EventEmitter, once } from 'node:events';
import type { ReadCert } from '../../catalog/cert.ts';
import { EVENTS_CHANNEL, type RunEvent, readEvents } from './run-events.ts';
import { keyOf, openRunJobs, type RunsWorld } from './run-jobs.ts';

/** How a watch ended: with the result, before it (the run goes on), or since the watcher left. */
export type WatchEnd = 'result' | 'late' | 'left';

export type Runs = {
  /**
   * Follows the run of a cert from its beginning, or from a place; begins one where there is none. After `forMs` the watch
   * is over and the run goes on; when the signal aborts, the run stops soon unless somebody else watches it.
   */
  watch(
    cert: ReadCert,
    options: { from?: { runId: number; place: number } | null; forMs: number; signal: AbortSignal },
  ): AsyncGenerator<RunEvent, WatchEnd>;
  /** Whether a run is under way, or ended some minutes ago: it can be followed from any place. */
  knows(runId: number): Promise<boolean>;
  /** Hands the runs of this process over to others. */
  close(): Promise<void>;
};

/** A run that is watched in this process. */
type Feed = {
  cert: ReadCert;
  runId: number;
  events: RunEvent[];
  watchers: number;
  /** A watcher has reported that it goes on: it is not stopped when the last one leaves. */
  goesOn: boolean;
  leaving?: NodeJS.Timeout;
  news: EventEmitter;
};

/** A client that lost its connection comes back within `graceMs`; dead processes are looked for every `sweepMs`. */
const USUAL = { graceMs: 3000, sweepMs: 2000 };

/** Opens the runs of this process: each cert is valued by one process at a time, and watched in any. */
export async function openRuns(world: RunsWorld, { graceMs, sweepMs } = USUAL): Promise<Runs> {
  const { db, log } = world;
  const feeds = new Map<string, Promise<Feed>>();
  const byRun = new Map<number, Feed>();
  let closed = false;
  const jobs = await openRunJobs(world, {
    sweepMs,
    onWritten(events) {
      const feed = byRun.get(events[0]!.runId);
      if (feed !== undefined) append(feed, events);
    },
  });

  function feedOf(cert: ReadCert): Promise<Feed> {
    const key = keyOf(cert);
    let feed = feeds.get(key);
    if (feed === undefined) {
      feed = open(cert);
      feeds.set(key, feed);
      feed.catch(() => feeds.delete(key));
    }
    return feed;
  }

  async function open(cert: ReadCert): Promise<Feed> {
    await db.hold(keyOf(cert));
    const feed: Feed = { cert, runId: 0, events: [], watchers: 0, goesOn: false, news: new EventEmitter() };
    feed.news.setMaxListeners(0);
    try {
      feed.runId = await jobs.begin(cert);
      byRun.set(feed.runId, feed);
      await refresh(feed);
      return feed;
    } catch (error) {
      await close(feed);
      throw error;
    }
  }

  function close({ cert, runId }: Feed): Promise<void> {
    feeds.delete(keyOf(cert));
    byRun.delete(runId);
    return db.letGo(keyOf(cert));
  }

  async function refresh(feed: Feed): Promise<void> {
    append(feed, await readEvents(db, feed.runId, feed.events.length));
  }

  function append(feed: Feed, events: readonly RunEvent[]): void {
    // Some may be known already; none is left out.
    for (const event of events) if (event.place === feed.events.length) feed.events.push(event);
    feed.news.emit('news');
    if (hasEnded(feed) && byRun.has(feed.runId)) void close(feed);
  }

  async function stop(feed: Feed): Promise<void> {
    await close(feed);
    await jobs.stop(feed.cert);
  }

  function leave(feed: Feed): void {
    feed.watchers--;
    if (closed || feed.watchers > 0 || feed.goesOn || hasEnded(feed)) return;
    feed.leaving = setTimeout(() => {
      stop(feed).catch((error: unknown) => log.warn({ err: error }, 'a valuation cannot be stopped'));
    }, graceMs);
    feed.leaving.unref();
  }

  await db.listen(EVENTS_CHANNEL, (payload) => {
    const [runId, count] = payload.split(' ').map(Number);
    // An empty text comes after a lost connection.
    const feeds = payload === '' ? [...byRun.values()] : [byRun.get(runId!)];
    for (const feed of feeds)
      if (feed !== undefined && (count === undefined || feed.events.length < count))
        refresh(feed).catch((error: unknown) => log.warn({ err: error }, 'events cannot be read'));
  });

  async function* watch(
    cert: ReadCert,
    { from = null, forMs, signal }: Parameters<Runs['watch']>[1],
  ): AsyncGenerator<RunEvent, WatchEnd> {
    if (signal.aborted) return 'left';
    const endsMs = performance.now() + forMs;
    const rest = from === null ? [] : await readEvents(db, from.runId, from.place);
    if (rest.at(-1)?.name === 'result') {
      yield* rest;
      return 'result';
    }
    const feed = await feedOf(cert);
    feed.watchers++;
    clearTimeout(feed.leaving);
    const over = new AbortController();
    const timer = setTimeout(() => over.abort(), endsMs - performance.now());
    const ends = AbortSignal.any([signal, over.signal]);
    try {
      for (let place = from?.runId === feed.runId ? from.place : 0; ; place++) {
        while (place >= feed.events.length) {
          if (signal.aborted) return 'left';
          if (over.signal.aborted) {
            feed.goesOn = true;
            return 'late';
          }
          await once(feed.news, 'news', { signal: ends }).catch(() => {});
        }
        const event = feed.events[place]!;
        yield event;
        if (event.name === 'result') return 'result';
      }
    } finally {
      clearTimeout(timer);
      leave(feed);
    }
  }

  return {
    watch,
    async knows(runId) {
      const events = await readEvents(db, runId);
      return events.at(-1)?.name === 'result' || (await jobs.isUnderWay(runId));
    },
    async close() {
      closed = true;
      for (const { leaving } of byRun.values()) clearTimeout(leaving);
      await jobs.close();
    },
  };
}

function hasEnded({ events }: Feed): boolean {
  return events.at(-1)?.name === 'result';
}
