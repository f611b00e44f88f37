import type { Logger } from 'pino';
import type { Game } from '../catalog/games.ts';
import type { Db } from '../db/client.ts';
import { builtWithin } from '../http/within.ts';
import { openLiveThread, openThread } from '../threads.ts';
import type { IdentifiedTitle } from './match/identify-title.ts';
import type { AskedTitle, TitleCalls } from './titles-thread.ts';

/** Titles matched with the catalog as it is, in a thread of their own. */
export type LiveTitles = {
  /** How long a request waits for the first index before it gets 503. */
  patienceMs: number;
  /** What each title means, in their order. Throws `unavailable` while the first index is being built, or when it cannot be. */
  identify(titles: readonly AskedTitle[], game?: Game | null): Promise<IdentifiedTitle[]>;
  close(): Promise<void>;
};

const PATIENCE_MS = 10_000;
/** Titles of a call: a long list lets shorter ones pass between two of them. */
const CALL_TITLES = 50;

type LiveOptions = {
  db: Db;
  log: Logger;
  /** See `openThread`. */
  compiled?: URL | undefined;
};

/**
 * Opens the matcher of a database: the first request builds its index. After a change of the catalog or of aliases the next request
 * has it built anew, and the old one answers until that is done.
 */
export async function openLiveTitles({ db, log, compiled }: LiveOptions): Promise<LiveTitles> {
  const thread = openLiveThread<TitleCalls>(
    'title index',
    log,
    () => openThread('sales/titles-thread', compiled),
    (opened) => opened.call('build', db.connection),
  );
  let isStale = false;
  for (const channel of ['catalog', 'title_aliases'])
    await db.listen(channel, () => {
      isStale = true;
    });

  const live: LiveTitles = {
    patienceMs: PATIENCE_MS,
    async identify(titles, game = null) {
      const found: IdentifiedTitle[] = [];
      for (let at = 0; at < titles.length; at += CALL_TITLES) {
        if (isStale) {
          isStale = false;
          thread.refresh().catch(() => {
            isStale = true;
          });
        }
        await builtWithin(live.patienceMs, thread, 'Titles are being prepared; try again shortly.');
        found.push(...(await thread.call('identify', titles.slice(at, at + CALL_TITLES), game)));
      }
      return found;
    },
    close: thread.close,
  };
  return live;
}
