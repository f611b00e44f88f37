import { createHash } from 'node:crypto';
import type { PublicTag } from '../catalog/tags/tag.ts';
import { type ItemRow, itemMap } from '../items/item-row.ts';
import { type CardSummary, readTags, representative, summaryOf } from '../items/summary.ts';
import { formatDay } from '../lib/day.ts';
import { centsOf } from '../pricing/model/quote.ts';
import { type TotalLine, totalRange } from '../pricing/model/total.ts';
import { type ListPrices, readListPrices } from '../pricing/read/list-prices.ts';
import type { PricedSeries } from '../pricing/read/quotes.ts';
import { shownQuote } from '../pricing/read/series-quote.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import type { ListContext } from './context.ts';
import { type IdentifiedLine, identifyLines } from './identify-lines.ts';
import { becauseOf } from './line-reasons.ts';
import type { ListLine } from './list-lines.ts';

/** A line of a list with its price, or why it has none. */
type ValuedLine = {
  ref: string | null;
  status: 'priced' | 'unpriced' | 'ambiguous' | 'unknown' | 'invalid';
  reason: string | null;
  because: string | null;
  card?: CardSummary;
  quantity: number;
  valueUsdCents: number | null;
  receiptUrl: string | null;
  candidates?: CardSummary[];
};

/** What a list is worth. */
export type ValuedList = {
  asOf: string | null;
  lines: ValuedLine[];
  total: {
    valueUsdCents: number;
    rangeUsdCents: { low: number; high: number } | null;
    pricedLines: number;
    unpricedLines: number;
    pricedQuantity: number;
  };
  receipt: { digest: string; urls: string[] };
};

const MAX_CANDIDATES = 5;
/** Of all lines together: each costs as much as a priced line. */
const MAX_CANDIDATES_OF_LIST = 1000;

/** Prices each line as its card's detail does, and the total with its 80% range. Nothing of the list is kept. */
export async function valueList(
  context: ListContext,
  lines: readonly ListLine[],
  asOf: number | null = null,
): Promise<ValuedList> {
  const { db, config } = context;
  const identified = shorten(await identifyLines(context, lines));
  const ids = identified.flatMap(({ itemId, candidates }) => [
    ...(itemId === null ? [] : [itemId]),
    ...candidates.map((one) => one.itemId),
  ]);
  const distinct = [...new Set(ids)];
  const [items, prices, tagsOf] = await Promise.all([
    itemMap(db, distinct),
    readListPrices(db, distinct, asOf),
    readTags(db, distinct),
  ]);
  const shown: Shown = { items, prices, tagsOf, made: new Map() };
  const priced: TotalLine[] = [];
  const day = prices.day === null ? null : formatDay(prices.day);
  const valued = identified.map((one, n): ValuedLine => {
    const quantity = lines[n]!.quantity ?? 1;
    const ref = lines[n]!.ref ?? null;
    const item = one.itemId === null ? undefined : items.get(one.itemId);
    const series = item === undefined ? undefined : seriesOf(one, prices.byItem.get(item.id) ?? []);
    const obstacle = one.obstacle ?? obstacleOf(item, one, series);
    // A grade that is not priced is not replaced by the card's best known one.
    const gradeKey = one.obstacle === null ? (series?.gradeKey ?? one.gradeKey) : one.gradeKey;
    // Without a price it still states when its grade last sold, and why the price is withheld.
    const isSeen = one.obstacle === null && item?.removed_at === null;
    const card = item === undefined ? undefined : cardOf(shown, item, gradeKey, isSeen ? series : undefined);
    if (obstacle !== null) {
      const { status, reason } = obstacle;
      const candidates = one.candidates.flatMap(({ itemId }) => candidateOf(shown, itemId, one.gradeKey));
      const because = becauseOf(reason);
      const why = { ref, status, reason, because, quantity, valueUsdCents: null, receiptUrl: null };
      return { ...why, ...(card ? { card } : {}), ...(candidates.length > 0 ? { candidates } : {}) };
    }
    priced.push({ quantity, error: prices.errorOf(series!.series) });
    const receiptUrl =
      card!.updatedAt !== null && Date.parse(card!.updatedAt) === prices.recordedAtMs
        ? `${config.baseUrl}/v1/receipts/${item!.id}/${gradeKey}/${day}`
        : null;
    const valueUsdCents = quantity * series!.priceUsdCents!;
    return { ref, status: 'priced', reason: null, because: null, card: card!, quantity, valueUsdCents, receiptUrl };
  });
  return wholeOf(valued, priced, day);
}

function wholeOf(lines: ValuedLine[], priced: readonly TotalLine[], asOf: string | null): ValuedList {
  const range = totalRange(priced);
  const total = {
    valueUsdCents: lines.reduce((sum, { valueUsdCents }) => sum + (valueUsdCents ?? 0), 0),
    rangeUsdCents: range && { low: centsOf(Math.log(range.low)), high: centsOf(Math.log(range.high)) },
    pricedLines: priced.length,
    unpricedLines: lines.length - priced.length,
    pricedQuantity: priced.reduce((sum, { quantity }) => sum + quantity, 0),
  };
  const stated = lines.map(({ card, quantity, valueUsdCents, receiptUrl }) => ({
    id: card?.id ?? null,
    gradeLabel: card?.gradeLabel ?? null,
    priceUsdCents: card?.priceUsdCents ?? null,
    quantity,
    valueUsdCents,
    receiptUrl,
  }));
  const digest = createHash('sha256')
    .update(canonicalJson({ asOf, lines: stated, total }))
    .digest('hex');
  const urls = [...new Set(lines.flatMap(({ receiptUrl }) => receiptUrl ?? []))];
  return { asOf, lines, total, receipt: { digest: `sha256:${digest}`, urls } };
}

/** At most a thousand candidates in all: fewer a line, where many lines have some. */
function shorten(lines: readonly IdentifiedLine[]): IdentifiedLine[] {
  const unclear = lines.filter(({ candidates }) => candidates.length > 0).length;
  const most = Math.max(1, Math.min(MAX_CANDIDATES, Math.floor(MAX_CANDIDATES_OF_LIST / Math.max(1, unclear))));
  return lines.map(({ itemId, gradeKey, obstacle, candidates }) => ({
    itemId,
    gradeKey,
    obstacle,
    candidates: candidates.slice(0, most),
  }));
}

function seriesOf({ gradeKey }: IdentifiedLine, all: readonly PricedSeries[]): PricedSeries | undefined {
  return gradeKey === null ? representative(all) : all.find((one) => one.gradeKey === gradeKey);
}

/** What keeps an identified card from a price. */
function obstacleOf(
  item: ItemRow | undefined,
  { itemId }: IdentifiedLine,
  series: PricedSeries | undefined,
): IdentifiedLine['obstacle'] {
  // Its catalog dropped it since titles were read.
  if (item === undefined) return { status: 'unknown', reason: itemId === null ? 'card_missing' : 'item_unknown' };
  if (item.removed_at !== null) return { status: 'unpriced', reason: 'withdrawn' };
  if (series?.series.isWithheld) return { status: 'unpriced', reason: 'identity_suspect' };
  return series?.priceUsdCents == null ? { status: 'unpriced', reason: 'no_price' } : null;
}

type Shown = {
  items: ReadonlyMap<string, ItemRow>;
  prices: ListPrices;
  tagsOf: (item: ItemRow) => PublicTag[] | undefined;
  /** Summaries of series: lists name some again and again. */
  made: Map<PricedSeries, CardSummary>;
};

function cardOf(shown: Shown, item: ItemRow, gradeKey: string | null, series: PricedSeries | undefined): CardSummary {
  const known = series && shown.made.get(series);
  if (known !== undefined) return known;
  const card = summaryOf(item, gradeKey, series && shownQuote(series), shown.tagsOf(item));
  if (series !== undefined) shown.made.set(series, card);
  return card;
}

function candidateOf(shown: Shown, itemId: string, gradeKey: string | null): CardSummary[] {
  const item = shown.items.get(itemId);
  if (item === undefined || item.removed_at !== null) return [];
  const all = shown.prices.byItem.get(itemId) ?? [];
  const series = gradeKey === null ? representative(all) : all.find((one) => one.gradeKey === gradeKey);
  return [cardOf(shown, item, series?.gradeKey ?? gradeKey, series)];
}
