/** The worker thread that matches titles for requests: neither building the index nor matching holds up the server. */
import type { ClientConfig } from 'pg';
import type { Game } from '../catalog/games.ts';
import { openDb } from '../db/client.ts';
import { serveCalls } from '../threads.ts';
import { identifyTitle } from './match/identify-title.ts';
import type { MatchIndex } from './match/match-index.ts';
import { loadTitles } from './titles.ts';

/** `isGradeStated`: its grade is known elsewhere. */
export type AskedTitle = { title: string; isGradeStated?: boolean };

let index: MatchIndex;

const calls = {
  /** The first call. Resolves with the number of items. */
  async build(connection: ClientConfig): Promise<number> {
    const db = openDb({ connection, poolSize: 1 });
    index = await loadTitles(db).finally(() => db.close());
    return index.items.length;
  },
  identify: (titles: readonly AskedTitle[], game: Game | null) =>
    titles.map(({ title, isGradeStated }) => identifyTitle(title, game, index, isGradeStated)),
};
export type TitleCalls = typeof calls;

serveCalls(calls);
