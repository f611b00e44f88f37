import type { Sql } from '../db/client.ts';
import { ProblemError } from '../http/problem.ts';
import { type ItemRow, itemHref } from './item-row.ts';
import { siblingsOf } from './siblings.ts';

/** Throws `withdrawn` for an item that its catalog no longer has, with the time and the card that replaced it. */
export async function assertInCatalog(sql: Sql, item: ItemRow): Promise<void> {
  if (item.removed_at === null) return;
  const replacedBy = await replacementOf(sql, item);
  const next = replacedBy === null ? 'No card took its place.' : '`replacedBy` is the card that took its place.';
  throw new ProblemError('withdrawn', `This card was taken out of the catalog: it has no price any more. ${next}`, {
    extra: { removedAt: item.removed_at.toISOString(), replacedBy },
  });
}

/** The address of the one card of its set with its number, language and variation; null where none or several are. */
export async function replacementOf(sql: Sql, item: ItemRow): Promise<string | null> {
  const alike = (await siblingsOf(sql, item)).filter(
    ({ language, variation }) => language === item.language && variation === item.variation,
  );
  return alike.length === 1 ? itemHref(alike[0]!, null) : null;
}
