import type { Sql } from '../db/client.ts';
import { buildMatchIndex, type MatchItem } from '../sales/match/match-index.ts';
import { matchTitle, type UnmatchedReason } from '../sales/match/match-title.ts';
import { readLabel } from './label.ts';
import { asLabelled } from './label-catalog.ts';

/** The item a label is of, or why that is not known. */
export type ToldByLabel = { itemId: string; reason: null } | { itemId: null; reason: UnmatchedReason };

/** Tells cards by the words of their slabs' labels. */
export type LabelBook = { tell(label: string): ToldByLabel };

const PAGE_ITEMS = 20_000;

/** Reads the catalog as labels call it; 500,000 items take some seconds. */
export async function loadLabels(sql: Sql): Promise<LabelBook> {
  const items: MatchItem[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  while (true) {
    const page = await sql.query<MatchItem>(
      `select i.id, i.game, s.name as "setName", s.code as "setCode", i.number, i.name, i.printed_name as "printedName",
         coalesce(i.facts->'characters', '[]') as characters, i.language, i.variation, i.rarity, i.year
       from items i join sets s on s.id = i.set_id
       where i.id > $1 and i.removed_at is null order by i.id limit ${PAGE_ITEMS}`,
      [after],
    );
    items.push(...page.map(asLabelled));
    if (page.length < PAGE_ITEMS) return labelBook(items);
    after = page.at(-1)!.id;
  }
}

/** A book of items that are already as labels call them. The label's grade is not its business: graders state it. */
export function labelBook(items: Iterable<MatchItem>): LabelBook {
  const index = buildMatchIndex(items);
  return {
    tell(label) {
      const reading = readLabel(label);
      reading.grading = { company: null, grade: null, problem: null, conditionAssumed: false };
      const match = matchTitle(reading, index);
      return match.matched ? { itemId: match.itemId, reason: null } : { itemId: null, reason: match.reason };
    },
  };
}
