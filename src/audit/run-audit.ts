import type { Db } from '../db/client.ts';
import { loadTitles, type TitleBook } from '../sales/titles.ts';
import { auditGame } from './audit-game.ts';
import { gamesToAudit, readGame } from './read-game.ts';
import type { FoundSuspect } from './suspect.ts';
import { type KeptCounts, keepFound } from './suspect-store.ts';

/** Compares the ids, prices and titles of every game and keeps the suspects. Run again on the same data, it changes nothing. */
export async function runAudit(db: Db): Promise<KeptCounts> {
  const games = await gamesToAudit(db);
  let loading: ReturnType<TitleBook> | null = null;
  const titles = () => (loading ??= db.session(loadTitles));
  const found: (FoundSuspect & { game: string })[] = [];
  for (const game of games) {
    // A session has no time limit for its statements, which pass over all sales of a year.
    const rows = await db.session((session) => readGame(session, game, titles));
    for (const suspect of auditGame(rows)) found.push({ ...suspect, game });
  }
  return await db.transaction((session) => keepFound(session, found, games));
}
