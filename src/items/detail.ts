import { Type } from 'typebox';
import type { PublicTag } from '../catalog/tags/tag.ts';
import type { Core } from '../http/context.ts';
import { dayOf, formatDay } from '../lib/day.ts';
import { roundHalfUp } from '../lib/money.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import { explanationOf } from '../pricing/read/explanation.ts';
import { type ItemPrices, readItemPrices } from '../pricing/read/item-prices.ts';
import type { SeriesPrice, SeriesQuote } from '../pricing/read/quotes.ts';
import { type Averages, averagesOf, breakdownOf, type SourceBreakdown } from '../sales/breakdown.ts';
import { basis, explanation, explanationBody, methodologyUrl } from './explained.ts';
import { externalIds, externalIdsOf } from './external-ids-of-item.ts';
import { type ItemRow, itemHref } from './item-row.ts';
import type { Located } from './locate/locate.ts';
import { asOfDay, asOfParameter } from './parameters/as-of.ts';
import { population, readPopulation } from './population/read-population.ts';
import {
  attribution,
  bucket,
  cardSummary,
  category,
  company,
  confidenceLabel,
  instant,
  largerImage,
  nullable,
  percentNumber,
  usdCents,
} from './shapes.ts';
import { otherPrinting, otherPrintingOf, readPrintings } from './siblings.ts';
import { priceOf, readTags, shownGrade, summaryOf } from './summary.ts';
import { attributionOf, itemView } from './view.ts';

/** Window of observationCount and sourceBreakdown. */
export const OBSERVATION_WINDOW_DAYS = 365;
/** Window of the plain averages shown with the model. */
const AVERAGES_WINDOW_DAYS = 90;

const sourceEntry = Type.Object({
  source: Type.String(),
  bucket,
  category,
  displayName: Type.String(),
  count: Type.Integer(),
  medianUsdCents: nullable(usdCents),
  overviewUrl: nullable(Type.String()),
});

const methodEntry = Type.Object({
  method: Type.Enum(['model', 'median', 'mean', 'vwap']),
  scorerVersion: Type.String(),
  label: Type.String(),
  priceUsdCents: nullable(usdCents),
  confidence: nullable(confidenceLabel),
  sourceCount: Type.Integer(),
  observationCount: Type.Integer(),
});

const response = Type.Intersect(
  [
    cardSummary,
    Type.Object({
      imageUrlLg: largerImage,
      deltas: Type.Object({ d7: nullable(percentNumber), d30: nullable(percentNumber), d365: nullable(percentNumber) }),
      sourceCount: Type.Integer(),
      observationCount: Type.Integer(),
      observationWindowDays: Type.Integer(),
      totalObservationCount: Type.Integer(),
      refreshing: Type.Boolean(),
      sourceBreakdown: Type.Array(sourceEntry),
      sourceBreakdownAllTime: Type.Array(sourceEntry),
      trackedSources: Type.Array(sourceEntry),
      methods: Type.Array(methodEntry),
      otherGrades: Type.Array(
        Type.Object({
          company,
          grade: Type.String(),
          gradeLabel: Type.String(),
          priceUsdCents: nullable(usdCents),
          deltaPct: nullable(percentNumber),
          confidence: nullable(confidenceLabel),
          lastSaleAt: nullable(instant),
          href: Type.String(),
          current: Type.Boolean(),
        }),
      ),
      otherLanguages: Type.Array(otherPrinting),
      otherVariants: Type.Array(otherPrinting),
      basis,
      explanation,
      methodologyUrl: Type.String({ format: 'uri' }),
      dataLicense: nullable(Type.String({ description: 'The license of the data, as the operator states it.' })),
      externalIds,
      population,
      pageUrl: Type.String({ format: 'uri' }),
      receiptUrl: nullable(
        Type.String({
          format: 'uri',
          description:
            'What the price was computed from, with proofs; null until the close has taken in its newest sale.',
        }),
      ),
      attribution,
    }),
  ],
  { title: 'CardDetail' },
);

export const detail = itemView({
  id: 'detail',
  summary: 'A card at one grade',
  query: Type.Object({ asOf: asOfParameter }),
  response,
  async view(context, located, query) {
    const asOf = await asOfDay(context.db, query.asOf);
    const prices = await readItemPrices(context.db, located.item.id, { asOf });
    const answer = await readDetail(context, located, prices, { isWhole: true });
    if (asOf === null) return answer;
    const { pageUrl, body } = answer;
    const ofDay = body.gradeLabel === null ? pageUrl : `${pageUrl}?on=${formatDay(asOf)}`;
    return { body, pageUrl: ofDay, isForGood: true };
  },
});

/**
 * The detail of a card from its prices, which reach back to the first sale and may still be read. Not whole, it is of the last
 * close, without tags, sources and plain averages, which pages do not show.
 */
export async function readDetail(
  context: Core,
  located: Located,
  reading: ItemPrices | Promise<ItemPrices>,
  { isWhole = false } = {},
) {
  const { item } = located;
  const [atGrade, printings] = await Promise.all([
    readAtGrade(context, located, reading, isWhole),
    readPrintings(context.db, item, reading),
  ]);
  const { prices, gradeKey, explained, externalIds, population, ...data } = atGrade;
  const receiptDay = receiptDayOf(
    prices,
    prices.quotes.find((one) => one.gradeKey === gradeKey),
  );
  const { attribution, pageUrl } = attributionOf(context, item, gradeKey);
  const body = {
    ...detailOf({ item, gradeKey, quotes: prices.quotes, ...printings, ...data }),
    ...explanationBody(explained),
    methodologyUrl: methodologyUrl(context.config),
    externalIds,
    population,
    dataLicense: context.config.dataLicense,
    pageUrl,
    receiptUrl:
      receiptDay === null
        ? null
        : `${context.config.baseUrl}/v1/receipts/${item.id}/${gradeKey}/${formatDay(receiptDay)}`,
    attribution,
  };
  return { body, pageUrl };
}

/** What the detail has of its own card, at the grade that is shown. */
async function readAtGrade(
  { db, clock }: Core,
  located: Located,
  reading: ItemPrices | Promise<ItemPrices>,
  isWhole: boolean,
) {
  const itemId = located.item.id;
  const prices = await reading;
  const { quotes, day, asOf } = prices;
  const gradeKey = shownGrade(located, quotes);
  const today = day ?? dayOf(clock());
  const [tagsOf, explained, sources, averages, externalIds, population] = await Promise.all([
    isWhole ? readTags(db, [itemId]) : () => undefined,
    gradeKey === null ? null : explanationOf(db, prices, gradeKey),
    !isWhole ? [] : breakdownOf(db, { itemId, gradeKey, fromDay: today - OBSERVATION_WINDOW_DAYS + 1, asOf }),
    gradeKey === null || !isWhole
      ? null
      : averagesOf(db, { itemId, gradeKey, fromDay: today - AVERAGES_WINDOW_DAYS + 1, asOf }),
    isWhole ? externalIdsOf(db, itemId) : {},
    readPopulation(db, itemId, gradeKey, asOf),
  ]);
  return { prices, gradeKey, tags: tagsOf(located.item), explained, sources, averages, externalIds, population };
}

/** The day whose receipt has this price; null where the record has none, or a sale counts that no close has taken in. */
function receiptDayOf({ day, recordedAtMs }: ItemPrices, quote: SeriesQuote | undefined): number | null {
  return quote?.priceUsdCents != null && quote.updatedAtMs === recordedAtMs ? day : null;
}

type DetailData = {
  item: ItemRow;
  tags: PublicTag[] | undefined;
  gradeKey: string | null;
  quotes: readonly SeriesQuote[];
  siblings: readonly ItemRow[];
  siblingPrices: ReadonlyMap<string, readonly SeriesPrice[]>;
  sources: readonly SourceBreakdown[];
  averages: Averages | null;
};

/** The card with everything known of it at one grade. */
function detailOf({ item, tags, gradeKey, quotes, siblings, siblingPrices, sources, averages }: DetailData) {
  const quote = quotes.find((one) => one.gradeKey === gradeKey);
  const printing = (other: ItemRow) => otherPrintingOf(other, gradeKey, siblingPrices.get(other.id) ?? []);
  return {
    ...summaryOf(item, gradeKey, quote, tags),
    imageUrlLg: null,
    deltas: { d7: quote?.delta7Pct ?? null, d30: quote?.delta30Pct ?? null, d365: quote?.delta365Pct ?? null },
    sourceCount: quote?.sourceCount ?? 0,
    observationCount: quote?.observationCount ?? 0,
    observationWindowDays: OBSERVATION_WINDOW_DAYS,
    totalObservationCount: quote?.totalObservationCount ?? 0,
    refreshing: false,
    sourceBreakdown: sources
      .filter((one) => one.windowCount > 0)
      .map((one) => sourceOf(one, one.windowCount, one.windowMedianUsdCents)),
    sourceBreakdownAllTime: sources
      .filter((one) => one.count > 0)
      .map((one) => sourceOf(one, one.count, one.medianUsdCents)),
    trackedSources: sources.map((one) => sourceOf(one, one.count, one.medianUsdCents)),
    methods: methodsOf(quote, averages),
    otherGrades: quotes.map((one) => ({ ...gradeOfQuote(item, one), current: one.gradeKey === gradeKey })),
    otherLanguages: siblings.filter((other) => other.language !== item.language).map(printing),
    otherVariants: siblings.filter((other) => other.language === item.language).map(printing),
  };
}

function gradeOfQuote(item: ItemRow, quote: SeriesQuote) {
  const { company, grade, gradeLabel, priceUsdCents, deltaPct, confidence, lastSaleAt } = priceOf(
    quote.gradeKey,
    quote,
  );
  return {
    company,
    grade,
    gradeLabel,
    priceUsdCents,
    deltaPct,
    confidence,
    lastSaleAt,
    href: itemHref(item, quote.gradeKey),
  };
}

function sourceOf(one: SourceBreakdown, count: number, medianUsdCents: number | null) {
  const { source, bucket, category, displayName, overviewUrl } = one;
  return { source, bucket, category, displayName, count, medianUsdCents: wholeCents(medianUsdCents), overviewUrl };
}

function methodsOf(quote: SeriesQuote | undefined, averages: Averages | null) {
  const model = {
    method: 'model',
    scorerVersion: MODEL_VERSION,
    label: 'Reference price',
    priceUsdCents: quote?.priceUsdCents ?? null,
    confidence: quote?.confidence ?? null,
    sourceCount: quote?.sourceCount ?? 0,
    observationCount: quote?.observationCount ?? 0,
  };
  if (averages === null || averages.count === 0) return [model];
  const plain = (method: string, label: string, cents: number | null) => ({
    method,
    scorerVersion: `${AVERAGES_WINDOW_DAYS}d`,
    label: `${label}, ${AVERAGES_WINDOW_DAYS} days`,
    priceUsdCents: wholeCents(cents),
    confidence: null,
    sourceCount: averages.sourceCount,
    observationCount: averages.count,
  });
  return [
    model,
    plain('median', 'Median sale', averages.medianUsdCents),
    plain('mean', 'Mean of daily means', averages.meanUsdCents),
    plain('vwap', 'Volume-weighted mean', averages.vwapUsdCents),
  ];
}

function wholeCents(cents: number | null): number | null {
  return cents === null ? null : Math.max(1, roundHalfUp(cents));
}
