import type { Sql } from '../db/client.ts';
import { type ItemRow, itemMap } from '../items/item-row.ts';
import { NOT_TAKEN, suggest, WAITS_BECAUSE } from '../sales/deciding/suggest-items.ts';
import type { UnmatchedSale } from '../sales/import/waiting.ts';
import type { MatchIndex } from '../sales/match/match-index.ts';

/** An item that an unmatched sale may be of, and in a clause why it was not taken. */
type CandidateItem = { item: ItemRow; why: string };

/** An unmatched sale with why it waits, in a sentence, and up to five items that it may be of. */
export type SuggestedSale = UnmatchedSale & { because: string; candidates: CandidateItem[] };

/** Adds to unmatched sales what a person needs to decide on them. */
export async function withCandidates(
  sql: Sql,
  sales: readonly UnmatchedSale[],
  index: MatchIndex,
): Promise<SuggestedSale[]> {
  const found = sales.map((sale) => suggest(sale, index));
  const items = await itemMap(sql, [...new Set(found.flat().map(({ itemId }) => itemId))]);
  return sales.map((sale, at) => ({
    ...sale,
    because: WAITS_BECAUSE[sale.reason] ?? sale.reason,
    candidates: found[at]!.flatMap(({ itemId, why }) => {
      const item = items.get(itemId);
      return item === undefined ? [] : [{ item, why: NOT_TAKEN[why] }];
    }),
  }));
}
