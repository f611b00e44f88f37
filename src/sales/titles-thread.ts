/** The worker thread that matches titles for requests: neither building the index nor matching holds up the server. */
import type { ClientConfig } from 'pg';
import type { Game } from '../catalog/games.ts';
import { openDb } from '../db/client.ts';
import { serveCalls } from '../threads.ts';
import { identifyTitle } from './match/identify-title.ts';
import type { MatchIndex } from './match/match-index.ts';
import { loadTitles } from './titles.ts';

let index: MatchIndex;

const calls = {
  /** The first call. Resolves with the number of items. */
  async build(connection: ClientConfig): Promise<number> {
    const db = openDb({ connection, poolSize: 1 });
    index = await loadTitles(db).finally(() => db.close());
    return index.items.length;
  },
  identify: (titles: readonly string[], game: Game | null) => titles.map((title) => identifyTitle(title, game, index)),
};
export type TitleCalls = typeof calls;

serveCalls(calls);
