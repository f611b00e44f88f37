import type { Game } from '../../catalog/games.ts';
import { textWords } from '../../catalog/words/compare.ts';
import { isLanguageWord } from '../../catalog/words/named.ts';
import type { Db, Sql } from '../../db/client.ts';
import { CannotDecide, type Decider, type KeptDecision, keepDecision } from '../../decisions/decisions.ts';
import type { TitleAlias } from '../match/aliases.ts';
import { readTitle } from '../match/read-title.ts';
import { isNoise } from '../match/words.ts';

/** What titles call a set or a card of the catalog, as a person states it. */
export type StatedAlias = { game: Game; said: string; meant: string };

/**
 * Teaches that titles of a game call a set or a card by other words. It is a decision: taken back, it is unlearned. Titles that
 * match without it are not changed by it.
 * @returns the decision, and the name as the catalog has it
 * @throws CannotDecide where the catalog has no such name, or the words say something already
 */
export async function teachAlias(
  db: Db,
  { game, said, meant }: StatedAlias,
  decider: Decider,
): Promise<{ decision: number; name: string }> {
  const { words } = readTitle(said, game);
  if (words.length === 0 || words.every((word) => isNoise(word) || isLanguageWord(word)))
    throw new CannotDecide(`"${said}" does not name anything: state the words that the titles have.`);
  return await db.transaction(async (session) => {
    const name = await nameInCatalog(session, game, meant);
    if (name === null)
      throw new CannotDecide(`No set and no card of ${game} is called "${meant}": state its name as its page has it.`);
    const own = await nameInCatalog(session, game, said);
    if (own !== null) throw new CannotDecide(`"${said}" is a name of the catalog itself: ${own}.`);
    const [known] = await session.query<{ id: number; meant: string }>(
      `select id, facts->>'meant' as meant from decisions
       where kind = 'title_alias' and taken_back_at is null and facts->>'game' = $1 and facts->'said' = $2::jsonb`,
      [game, JSON.stringify(words)],
    );
    if (known !== undefined)
      throw new CannotDecide(`"${said}" means ${known.meant} already, by decision ${known.id}: take that back first.`);
    const subject = `${game} "${said.trim()}" means ${name}`;
    const facts = { game, said: words, meant: name };
    const decision = await keepDecision(session, { kind: 'title_alias', subject, facts }, decider);
    await announceAliases(session);
    return { decision, name };
  });
}

/** Has the matchers of all processes read the aliases again. */
export async function announceAliases(sql: Sql): Promise<void> {
  await sql.query(`select pg_notify('title_aliases', '')`);
}

/** The aliases in force, the oldest first. */
export async function readAliases(sql: Sql): Promise<TitleAlias[]> {
  const rows = await sql.query<Pick<KeptDecision, 'id' | 'facts'>>(
    `select id, facts from decisions where kind = 'title_alias' and taken_back_at is null order by id`,
  );
  return rows.map(aliasOf);
}

/** The alias that a decision taught. */
export function aliasOf({ id, facts }: Pick<KeptDecision, 'id' | 'facts'>): TitleAlias {
  const { game, said, meant } = facts as { game: Game; said: string[]; meant: string };
  return { decision: id, game, said, meant: textWords(meant) };
}

async function nameInCatalog(sql: Sql, game: Game, text: string): Promise<string | null> {
  const [row] = await sql.query<{ name: string }>(
    `(select name from sets where game = $1 and lower(name) = lower($2) limit 1) union all
     (select name from items where game = $1 and lower(name) = lower($2) and removed_at is null limit 1) limit 1`,
    [game, text.trim()],
  );
  return row?.name ?? null;
}
