import type { Game } from '../catalog/games.ts';
import type { Language } from '../catalog/languages.ts';
import type { Sql } from '../db/client.ts';
import { buildMatchIndex, type MatchIndex, type MatchItem } from './match/match-index.ts';
import { matchTitle } from './match/match-title.ts';
import { readTitle } from './match/read-title.ts';
import { openResolver, type ResolvedGrade, type ResolvedItem, resolveGrade } from './resolve.ts';
import type { Offered } from './sale.ts';

/** Which card in which grade a row speaks of, or why that is not known. */
export type Told =
  | { item: ResolvedItem; grade: ResolvedGrade }
  /** `final`: no catalog will change it (a lot, not a card). */
  | { item: null; reason: string; final: boolean };

export type Teller = {
  /** Reads from the catalog what `tell` needs for these rows. */
  load(rows: readonly Offered[]): Promise<void>;
  tell(row: Offered): Told;
};

/** Tells cards by id, address, upstream id or title; the index of titles is built when the first title comes. */
export async function openTeller(sql: Sql): Promise<Teller> {
  const items = openResolver(sql);
  let titles: { index: MatchIndex; games: Map<string, Game> } | null = null;
  return {
    async load(rows) {
      await items.load(rows.map(({ item }) => item).filter(({ by }) => by !== 'title'));
      if (titles === null && rows.some(({ item }) => item.by === 'title')) titles = await loadTitles(sql);
    },
    tell(row) {
      if (row.item.by === 'title') return tellByTitle(row, titles!);
      const item = items.get(row.item);
      if (item === null) return { item: null, reason: 'item_unknown', final: false };
      return { item, grade: resolveGrade(row.company!, row.grade) };
    },
  };
}

/** A stated company and grade outrank the title's, but a title that names another company is not believed. */
function tellByTitle(row: Offered, { index, games }: { index: MatchIndex; games: Map<string, Game> }): Told {
  const reading = readTitle(row.item.value);
  const stated = row.company === null ? null : resolveGrade(row.company, row.grade);
  if (stated !== null) {
    const { company } = reading.grading;
    if (company !== null && company !== stated.company) return { item: null, reason: 'grade_differs', final: false };
    reading.grading = { company: stated.company, grade: stated.row, problem: null, conditionAssumed: stated.assumed };
  }
  const match = matchTitle(reading, index);
  if (!match.matched) {
    const { reason } = match;
    return { item: null, reason, final: reason === 'lot' || reason === 'not_card' };
  }
  const item = { id: match.itemId, game: games.get(match.itemId)!, name: null };
  if (stated !== null) return { item, grade: stated };
  const { company, grade, problem, conditionAssumed } = match;
  const scale = problem === null ? 'priced' : problem === 'outside_scale' ? 'grade_unsupported' : problem;
  return { item, grade: { company, grade: grade?.grade ?? '', row: grade, scale, assumed: conditionAssumed } };
}

const PAGE_ITEMS = 20_000;

async function loadTitles(sql: Sql): Promise<{ index: MatchIndex; games: Map<string, Game> }> {
  const games = new Map<string, Game>();
  const items: MatchItem[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const page = await sql.query<MatchItem & { language: Language }>(
      `select i.id, i.game, s.name as "setName", s.code as "setCode", i.number, i.name, i.printed_name as "printedName",
         i.language, i.variation, i.rarity, i.year
       from items i join sets s on s.id = i.set_id
       where i.id > $1 and i.removed_at is null order by i.id limit ${PAGE_ITEMS}`,
      [after],
    );
    for (const item of page) games.set(item.id, item.game);
    items.push(...page);
    if (page.length < PAGE_ITEMS) return { index: buildMatchIndex(items), games };
    after = page.at(-1)!.id;
  }
}
