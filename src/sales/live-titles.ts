import type { Logger } from 'pino';
import type { Game } from '../catalog/games.ts';
import type { Db } from '../db/client.ts';
import { unavailable } from '../http/problem.ts';
import { within } from '../http/within.ts';
import { openThread, type Thread } from '../threads.ts';
import type { IdentifiedTitle } from './match/identify-title.ts';
import type { TitleCalls } from './titles-thread.ts';

/** Titles matched with the catalog as it is, in a thread of their own. */
export type LiveTitles = {
  /** How long a request waits for the first index before it gets 503. */
  patienceMs: number;
  /** What each title means, in their order. Throws `unavailable` while the first index is being built, or when it cannot be. */
  identify(titles: readonly string[], game?: Game | null): Promise<IdentifiedTitle[]>;
  close(): Promise<void>;
};

const PATIENCE_MS = 10_000;
/** Titles of a call: a long list lets shorter ones pass between two of them. */
const CALL_TITLES = 50;

/**
 * Opens the matcher of a database: the first request builds its index. After a change of the catalog the next request
 * has it built anew, and the old one answers until that is done.
 */
export async function openLiveTitles({
  db,
  log,
  compiled,
}: {
  db: Db;
  log: Logger;
  /** See `openThread`. */
  compiled?: URL | undefined;
}): Promise<LiveTitles> {
  let current: Thread<TitleCalls> | undefined;
  let next: Thread<TitleCalls> | undefined;
  let building: Promise<Thread<TitleCalls>> | undefined;
  let isStale = false;
  let isClosed = false;
  await db.listen('catalog', () => {
    isStale = true;
  });

  async function build(): Promise<Thread<TitleCalls>> {
    if (isClosed) throw new Error('the title matcher is closed');
    isStale = false;
    const opened = openThread<TitleCalls>('sales/titles-thread', compiled);
    next = opened;
    const items = await opened.call('build', db.connection);
    void current?.close({ drain: true });
    current = opened;
    log.info({ items }, 'title index built');
    return opened;
  }

  function renew(): Promise<Thread<TitleCalls>> {
    building ??= build()
      .catch((error: unknown) => {
        if (!isClosed) log.error(error, 'the title index cannot be built');
        isStale = true;
        void next?.close();
        throw error;
      })
      .finally(() => {
        building = undefined;
      });
    return building;
  }

  async function built(patienceMs: number): Promise<Thread<TitleCalls>> {
    const isUsable = current?.isAlive() === true;
    if (isUsable && !isStale) return current!;
    const renewing = renew();
    renewing.catch(() => {});
    if (isUsable) return current!;
    const thread = await within(patienceMs, renewing).catch(() => {
      throw unavailable('The catalog cannot be read just now; try again shortly.', 5);
    });
    if (thread === null) throw unavailable('Titles are being prepared; try again shortly.', 5);
    return thread;
  }

  const live: LiveTitles = {
    patienceMs: PATIENCE_MS,
    async identify(titles, game = null) {
      const found: IdentifiedTitle[] = [];
      for (let at = 0; at < titles.length; at += CALL_TITLES) {
        const thread = await built(live.patienceMs);
        found.push(...(await thread.call('identify', titles.slice(at, at + CALL_TITLES), game)));
      }
      return found;
    },
    async close() {
      isClosed = true;
      await Promise.all([current?.close(), next?.close()]);
    },
  };
  return live;
}
