import type { Core } from '../../http/context.ts';
import { type MarketSelection, recentTrades } from '../../sales/ledger.ts';
import { itemHref, itemMap } from '../item-row.ts';
import { identityOf } from '../summary.ts';

/** A sale with its card, as lists of many cards show it. */
export type MarketTrade = Awaited<ReturnType<typeof marketTrades>>[number];

/** The sales of a selection, each with its card. */
export async function marketTrades(
  { db, fingerprint }: Pick<Core, 'db' | 'fingerprint'>,
  selection: Partial<MarketSelection> & { limit: number },
) {
  const rows = await recentTrades(db, selection, fingerprint);
  const itemById = await itemMap(
    db,
    rows.map((row) => row.itemId),
  );
  return rows.map(({ itemId, gradeKey, ...trade }) => {
    const item = itemById.get(itemId)!;
    return { trade, card: { ...identityOf(item), gradeKey, href: itemHref(item, gradeKey) } };
  });
}
