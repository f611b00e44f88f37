import { Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { quotesOf, type SeriesQuote } from '../pricing/read.ts';
import { type ItemRow, itemHref } from './item-row.ts';
import { attribution, confidenceLabel, instant, nullable, percentNumber, score, usdCents } from './shapes.ts';
import { identityOf, newestMs, priceOf } from './summary.ts';
import { attributionOf, itemView } from './view.ts';

const gradeEntry = Type.Object({
  company: Type.String(),
  grade: Type.String(),
  gradeLabel: Type.String(),
  priceUsdCents: nullable(usdCents),
  deltaPct: nullable(percentNumber),
  confidence: nullable(confidenceLabel),
  confidenceScore: nullable(score),
  sourceCount: Type.Integer(),
  observationCount: Type.Integer(),
  updatedAt: nullable(instant),
  lastSaleAt: nullable(instant),
  estimated: Type.Boolean(),
  spark: Type.Array(Type.Integer(), { maxItems: 17 }),
  href: Type.String(),
});

const response = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    upstreamItemId: nullable(Type.String()),
    game: Type.String(),
    type: Type.String(),
    name: Type.String(),
    setName: nullable(Type.String()),
    setCode: nullable(Type.String()),
    cardNumber: nullable(Type.String()),
    variation: nullable(Type.String()),
    language: nullable(Type.String()),
    imageUrl: nullable(Type.String()),
    imageUrlLg: nullable(Type.String()),
    gradeCount: Type.Integer(),
    href: Type.String(),
    grades: Type.Array(gradeEntry),
    attribution,
  },
  { title: 'Overview' },
);

export const overview = itemView({
  id: 'overview',
  summary: 'A card and every tracked grade of it',
  response,
  async view(context, { item }) {
    const quotes = (await quotesOf(context.db, [item.id])).get(item.id) ?? [];
    const { attribution, pageUrl } = attributionOf(context, item, null);
    return { body: { ...overviewOf(item, quotes), attribution }, lastModifiedMs: newestMs([item], quotes), pageUrl };
  },
});

/** A card with its grades, dearest first, unpriced last. */
export function overviewOf(item: ItemRow, quotes: readonly SeriesQuote[]) {
  const { rarity: _rarity, year: _year, imageUrlThumb: _thumb, ...identity } = identityOf(item);
  const dearestFirst = [...quotes].sort(
    (a, b) =>
      (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0) || gradeByKey(b.gradeKey)!.rank - gradeByKey(a.gradeKey)!.rank,
  );
  return {
    ...identity,
    imageUrlLg: item.image_url,
    gradeCount: quotes.length,
    href: itemHref(item, null),
    grades: dearestFirst.map((quote) => gradeEntryOf(item, quote)),
  };
}

function gradeEntryOf(item: ItemRow, quote: SeriesQuote) {
  const { priceRangeUsdCents: _range, ...price } = priceOf(quote.gradeKey, quote);
  return {
    ...price,
    sourceCount: quote.sourceCount,
    observationCount: quote.observationCount,
    href: itemHref(item, quote.gradeKey),
  };
}
