import { type Static, Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import type { SeriesQuote } from '../pricing/read/quotes.ts';
import { type ItemRow, itemHref } from './item-row.ts';
import { asOfAnswer, asOfDay, asOfMember, asOfParameter, quotesOn } from './parameters/as-of.ts';
import {
  attribution,
  cardIdentity,
  company,
  confidenceLabel,
  imageAddress,
  instant,
  largerImage,
  nextSaleRange,
  nullable,
  percentNumber,
  priceDay,
  priceRange,
  score,
  unconfirmedMove,
  usdCents,
  withheldReason,
} from './shapes.ts';
import { identityOf, priceOf } from './summary.ts';
import { attributionOf, itemView } from './view.ts';

/** A grade of a card with its price. */
export const gradeEntry = Type.Object({
  company,
  grade: Type.String(),
  gradeLabel: Type.String(),
  priceUsdCents: nullable(usdCents),
  priceRangeUsdCents: nullable(priceRange),
  nextSaleRangeUsdCents: nextSaleRange,
  unconfirmedMove,
  deltaPct: nullable(percentNumber),
  confidence: nullable(confidenceLabel),
  confidenceScore: nullable(score),
  sourceCount: Type.Integer(),
  observationCount: Type.Integer(),
  asOf: priceDay,
  updatedAt: nullable(instant),
  lastSaleAt: nullable(instant),
  estimated: Type.Boolean(),
  spark: Type.Array(Type.Integer(), { maxItems: 17 }),
  reason: withheldReason,
  href: Type.String(),
});

const response = Type.Object(
  {
    asOf: asOfMember,
    ...cardIdentity,
    language: nullable(Type.String()),
    imageUrl: nullable(imageAddress),
    imageUrlLg: largerImage,
    gradeCount: Type.Integer(),
    href: Type.String(),
    grades: Type.Array(gradeEntry),
    attribution,
  },
  { title: 'Overview' },
);

export type CardOverview = Static<typeof response>;

export const overview = itemView({
  id: 'overview',
  summary: 'A card and every tracked grade of it',
  query: Type.Object({ asOf: asOfParameter }),
  response,
  async view(context, { item }, query) {
    const asOf = await asOfDay(context.db, query.asOf);
    const { member, isForGood } = asOfAnswer(asOf);
    const quotes = (await quotesOn(context.db, [item.id], asOf)).get(item.id) ?? [];
    const { attribution, pageUrl } = attributionOf(context, item, null);
    return { body: { ...member, ...overviewOf(item, quotes), attribution }, pageUrl, isForGood };
  },
});

/** A card with its grades, highest price first, unpriced last. */
export function overviewOf(item: ItemRow, quotes: readonly SeriesQuote[]) {
  const { rarity: _rarity, year: _year, imageUrlThumb: _thumb, ...identity } = identityOf(item);
  const highestFirst = [...quotes].sort(
    (a, b) =>
      (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0) || gradeByKey(b.gradeKey)!.rank - gradeByKey(a.gradeKey)!.rank,
  );
  return {
    ...identity,
    imageUrlLg: null,
    gradeCount: quotes.length,
    href: itemHref(item, null),
    grades: highestFirst.map((quote) => gradeEntryOf(item, quote)),
  };
}

function gradeEntryOf(item: ItemRow, quote: SeriesQuote) {
  return {
    ...priceOf(quote.gradeKey, quote),
    sourceCount: quote.sourceCount,
    observationCount: quote.observationCount,
    href: itemHref(item, quote.gradeKey),
  };
}
