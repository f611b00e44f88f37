import type { Sql } from '../db/client.ts';
import { openResolver, type ResolvedGrade, type ResolvedItem, resolveGrade } from './import/resolve.ts';
import type { MatchIndex } from './match/match-index.ts';
import { matchTitle } from './match/match-title.ts';
import { contradictsTitle, type TitleGrade } from './match/read-grade.ts';
import { readTitle } from './match/read-title.ts';
import type { Offered } from './sale.ts';
import { loadTitles, type TitleBook } from './titles.ts';

/** Which card in which grade a row is about, or why that is not known. */
export type Identified =
  | {
      item: ResolvedItem;
      grade: ResolvedGrade;
      /** The decision on an alias without which the title would not identify it. */
      decisionId?: number;
    }
  /** `final`: no catalog will change it (a lot, not a card). */
  | { item: null; reason: string; final: boolean };

export type Identifier = {
  /** Reads from the catalog what `identify` needs for these rows. */
  load(rows: readonly Offered[]): Promise<void>;
  identify(row: Offered): Identified;
};

/** Identifies cards by id, address, upstream id or title; without a book the titles are read when the first one comes. */
export function openIdentifier(sql: Sql, book: TitleBook = () => loadTitles(sql)): Identifier {
  const items = openResolver(sql);
  let titles: MatchIndex | null = null;
  return {
    async load(rows) {
      await items.load(rows.map(({ item }) => item).filter(({ by }) => by !== 'title'));
      if (titles === null && rows.some(({ item }) => item.by === 'title')) titles = await book();
    },
    identify(row) {
      if (row.item.by === 'title') return identifyByTitle(row, titles!);
      const item = items.get(row.item);
      if (item === null) return { item: null, reason: 'item_unknown', final: false };
      return { item, grade: resolveGrade(row.company!, row.grade) };
    },
  };
}

/** What a row states; null where it leaves the grade to a title of the same company. */
function statedBy({ company, grade }: Offered, title: Pick<TitleGrade, 'company'>): ResolvedGrade | null {
  if (company === null) return null;
  const stated = resolveGrade(company, grade);
  return grade === null && stated.company === title.company ? null : stated;
}

/** A stated company and grade complete what the title leaves open; where it states others, the sale waits. */
export function identifyByTitle(row: Offered, index: MatchIndex): Identified {
  const reading = readTitle(row.item.value);
  const stated = statedBy(row, reading.grading);
  if (stated !== null) {
    const { company, grade, conditionAssumed } = reading.grading;
    const ofTitle = { company, gradeKey: grade?.key, isConditionAssumed: conditionAssumed };
    if (contradictsTitle({ company: stated.company, gradeKey: stated.row?.key }, ofTitle))
      return { item: null, reason: 'grade_differs', final: false };
    if (row.grade === null && stated.scale === 'grade_unsupported')
      return { item: null, reason: 'grade_unread', final: false };
    reading.grading = { company: stated.company, grade: stated.row, problem: null, conditionAssumed: stated.assumed };
  }
  const match = matchTitle(reading, index);
  if (!match.matched) {
    const { reason } = match;
    return { item: null, reason, final: reason === 'lot' || reason === 'not_card' };
  }
  const { company, grade, problem, conditionAssumed, aliasDecision } = match;
  const card = {
    item: { id: match.itemId, game: match.game, name: null },
    ...(aliasDecision !== null && { decisionId: aliasDecision }),
  };
  if (stated !== null) return { ...card, grade: stated };
  const scale = problem === null ? 'priced' : problem === 'outside_scale' ? 'grade_unsupported' : problem;
  return { ...card, grade: { company, grade: grade?.grade ?? '', row: grade, scale, assumed: conditionAssumed } };
}
