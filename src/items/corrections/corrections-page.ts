import { gradeByKey } from '../../catalog/grades.ts';
import { parseItemSegment } from '../../catalog/slug.ts';
import { itemsOfHrefs } from '../../catalog/upstream.ts';
import type { Core } from '../../http/context.ts';
import { formatDay } from '../../lib/day.ts';
import { dailyLine } from '../../pricing/read/item-prices.ts';
import { closedDay } from '../../pricing/read/quotes.ts';
import { type ItemRow, itemHref, itemMap, numbersOf } from '../item-row.ts';
import { correctionNote } from './correction-note.ts';
import type { PublishedCorrection } from './correction-shape.ts';
import { correctionsCursor, readCorrectionsCursor } from './corrections-cursor.ts';
import { type CorrectionEntry, correctionEntries } from './entries.ts';

type CorrectionsPage = { corrections: PublishedCorrection[]; hasMore: boolean; nextCursor: string | null };

/** Corrections of all cards or of one, withdrawn ones too, newest first; `after`: a cursor, empty for the first page. */
export async function correctionsPage(
  context: Pick<Core, 'db' | 'fingerprint'>,
  { item, limit, after = '' }: { item: ItemRow | null; limit: number; after?: string },
): Promise<CorrectionsPage> {
  const { db, fingerprint } = context;
  const itemId = item?.id ?? null;
  const place = after === '' ? null : readCorrectionsCursor(fingerprint, itemId, after);
  const found = await correctionEntries(db, { item, after: place, limit: limit + 1 });
  const hasMore = found.length > limit;
  const entries = await withCards(db, found.slice(0, limit));
  const listed = item === null ? entries : entries.filter((one) => one.item?.id === item.id);
  const nextCursor = hasMore ? correctionsCursor(fingerprint, itemId, found[limit - 1]!) : null;
  return { corrections: await shown(db, listed), hasMore, nextCursor };
}

type WithCard = { entry: CorrectionEntry; item: ItemRow | null; gradeKey: string | null; note: string | null };

/** The card of each entry, by the address that a report names too, and its note. */
async function withCards(db: Core['db'], entries: readonly CorrectionEntry[]): Promise<WithCard[]> {
  const hrefs = entries.flatMap(({ facts }) => ('cardHref' in facts && facts.cardHref ? [facts.cardHref] : []));
  const itemOfHref = hrefs.length === 0 ? null : await itemsOfHrefs(db, hrefs);
  const ids = entries.flatMap(({ itemId, facts }) => [
    itemId,
    ...('now' in facts ? [facts.sale.itemId, facts.now.itemId] : []),
  ]);
  const known = [...ids, ...[...(itemOfHref?.values() ?? [])].map(({ id }) => id)].filter((id) => id !== null);
  const items = await itemMap(db, [...new Set(known)]);
  return entries.map((entry) => {
    const { facts } = entry;
    const note = correctionNote(facts, (id) => nameOf(items.get(id)!));
    if (facts.cause !== 'report' || facts.cardHref === null)
      return { entry, item: entry.itemId === null ? null : items.get(entry.itemId)!, gradeKey: entry.gradeKey, note };
    const item = items.get(itemOfHref?.get(facts.cardHref)?.id ?? '') ?? null;
    return { entry, item, gradeKey: item === null ? null : gradeOfHref(facts.cardHref, item), note };
  });
}

function nameOf(item: ItemRow): string {
  return item.number === null ? item.name : `${item.name} #${item.number}`;
}

/** The grade that an address of a card names. */
function gradeOfHref(href: string, { stem }: ItemRow): string | null {
  const readings = parseItemSegment(href.split('/').at(-1)!).filter(({ id8 }) => id8 !== null);
  return (readings.find((one) => one.stem === stem) ?? readings[0])?.gradeKey ?? null;
}

/** The entries as the wire shows them. One after another: a page of them takes one connection, not the pool. */
async function shown(db: Core['db'], entries: readonly WithCard[]): Promise<PublishedCorrection[]> {
  const list: PublishedCorrection[] = [];
  for (const { entry, item, gradeKey, note } of entries) {
    const { id, atMicros, fromDay, effectDay, facts } = entry;
    list.push({
      id,
      at: new Date(Math.floor(atMicros / 1000)).toISOString(),
      cause: facts.cause === 'sale_voided' && facts.reason === 'undone' ? 'import_undone' : facts.cause,
      item: item?.id ?? null,
      card: item === null ? null : cardOf(item),
      gradeLabel: gradeByKey(gradeKey ?? '')?.label ?? null,
      fromDay: fromDay === null ? null : formatDay(fromDay),
      toDay: fromDay === null ? null : formatDay(effectDay - 1),
      ...(await pricesAround(db, item, gradeKey, effectDay)),
      note,
      href: item !== null ? itemHref(item, gradeKey) : facts.cause === 'model' ? '/methodology/model' : '/corrections',
    });
  }
  return list;
}

function cardOf(item: ItemRow): PublishedCorrection['card'] {
  const { game, name, set_name: setName, set_code: setCode, variation, language } = item;
  return { game, name, setName, setCode, ...numbersOf(item), variation, language };
}

/** The published prices of a series at the close that has the correction, and at the one before. */
async function pricesAround(db: Core['db'], item: ItemRow | null, gradeKey: string | null, effectDay: number) {
  if (item === null || gradeKey === null) return { priceBeforeUsdCents: null, priceAfterUsdCents: null };
  const closed = (await closedDay(db)) ?? Number.NEGATIVE_INFINITY;
  // As of its day: a card that lost its last sale has no line any more, and had a price before.
  const priceOn = async (day: number) =>
    day > closed ? null : ((await dailyLine(db, item.id, gradeKey, day, day, day))[0]?.usdCents ?? null);
  return {
    priceBeforeUsdCents: await priceOn(effectDay - 1),
    priceAfterUsdCents: await priceOn(effectDay),
  };
}
