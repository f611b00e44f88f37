import { EventEmitter, once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadCert } from '../../catalog/cert.ts';
import { EVENTS_CHANNEL, type RunEvent, readEvents } from './run-events.ts';
import { keyOf, openRunJobs, type RunsWorld } from './run-jobs.ts';

export type Runs = {
  /**
   * Follows the run of a cert from its beginning, or from a place; begins one where there is none. Ends with the `result`;
   * without it after `forMs`, when the run goes on, or when the signal aborts: the run then stops soon unless another
   * client watches it.
   */
  watch(
    cert: ReadCert,
    options: { from?: { runId: number; place: number } | null; forMs: number; signal: AbortSignal },
  ): AsyncGenerator<RunEvent, void>;
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
  /** A client was answered that the run goes on: it is not stopped when the last watcher leaves. */
  goesOn: boolean;
  isClosed: boolean;
  leaving?: NodeJS.Timeout;
  news: EventEmitter;
};

/** A client that lost its connection comes back within `graceMs`; dead processes are looked for every `sweepMs`. */
const USUAL = { graceMs: 3000, sweepMs: 2000 };

/** Opens the runs of this process: each cert is valued by one process at a time, and watched in any. */
export async function openRuns(world: RunsWorld, { graceMs, sweepMs } = USUAL): Promise<Runs> {
  const { db, log } = world;
  const feeds = new Map<string, Promise<Feed>>();
  let isClosing = false;
  const jobs = await openRunJobs(world, sweepMs);

  function feedOf(cert: ReadCert): Promise<Feed> {
    const key = keyOf(cert);
    let feed = feeds.get(key);
    if (feed === undefined) {
      feed = open(cert);
      feeds.set(key, feed);
    }
    return feed;
  }

  async function open(cert: ReadCert): Promise<Feed> {
    const news = new EventEmitter().setMaxListeners(0);
    const feed: Feed = { cert, runId: 0, events: [], watchers: 0, goesOn: false, isClosed: false, news };
    await db.hold(keyOf(cert));
    try {
      feed.runId = await jobs.begin(cert);
      await refresh(feed);
      return feed;
    } catch (error) {
      await close(feed);
      throw error;
    }
  }

  async function close(feed: Feed): Promise<void> {
    if (feed.isClosed) return;
    feed.isClosed = true;
    feeds.delete(keyOf(feed.cert));
    await db.letGo(keyOf(feed.cert));
  }

  async function refresh(feed: Feed): Promise<void> {
    // Another refresh may have read it meanwhile.
    for (const event of await readEvents(db, feed.runId, feed.events.length))
      if (event.place === feed.events.length) feed.events.push(event);
    feed.news.emit('news');
    if (hasEnded(feed)) void close(feed);
  }

  /** Until it succeeds: after the last event nothing would be the reason to read again. */
  async function readNews(feed: Feed): Promise<void> {
    while (!feed.isClosed && !isClosing)
      try {
        return await refresh(feed);
      } catch (error) {
        log.warn({ err: error }, 'events cannot be read');
        await sleep(1000, undefined, { ref: false });
      }
  }

  async function stop(feed: Feed): Promise<void> {
    await close(feed);
    await jobs.stop(feed.cert);
  }

  function leave(feed: Feed): void {
    feed.watchers--;
    if (isClosing || feed.watchers > 0 || feed.goesOn || hasEnded(feed)) return;
    feed.leaving = setTimeout(() => {
      stop(feed).catch((error: unknown) => log.warn({ err: error }, 'a valuation cannot be stopped'));
    }, graceMs);
    feed.leaving.unref();
  }

  await db.listen(EVENTS_CHANNEL, (key) => {
    // The text is empty after a lost connection: every run may have news.
    for (const feed of key === '' ? feeds.values() : [feeds.get(key)]) feed?.then(readNews, () => {});
  });

  return {
    async *watch(cert, { from = null, forMs, signal }) {
      if (signal.aborted) return;
      const over = AbortSignal.timeout(forMs);
      const ends = AbortSignal.any([signal, over]);
      const rest = from === null ? [] : await readEvents(db, from.runId, from.place);
      if (rest.at(-1)?.name === 'result') return yield* rest;
      const feed = await feedOf(cert);
      feed.watchers++;
      clearTimeout(feed.leaving);
      try {
        for (let place = from?.runId === feed.runId ? from.place : 0; ; place++) {
          while (place >= feed.events.length) {
            if (over.aborted && !signal.aborted) feed.goesOn = true;
            if (ends.aborted) return;
            await once(feed.news, 'news', { signal: ends }).catch(() => {});
          }
          const event = feed.events[place]!;
          yield event;
          if (event.name === 'result') return;
        }
      } finally {
        leave(feed);
      }
    },
    async knows(runId) {
      const events = await readEvents(db, runId);
      return events.at(-1)?.name === 'result' || (await jobs.isUnderWay(runId));
    },
    async close() {
      isClosing = true;
      for (const feed of feeds.values()) feed.then(({ leaving }) => clearTimeout(leaving)).catch(() => {});
      await jobs.close();
    },
  };
}

function hasEnded({ events }: Feed): boolean {
  return events.at(-1)?.name === 'result';
}
