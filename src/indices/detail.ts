import { type Static, Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { type KeptSql, keep } from '../db/kept.ts';
import { endpoint } from '../http/endpoint.ts';
import { asOfAnswer, asOfDay, asOfParameter } from '../items/parameters/as-of.ts';
import { nullable } from '../items/shapes.ts';
import { iso } from '../items/summary.ts';
import { formatDay } from '../lib/day.ts';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { basketAfter } from './close/store.ts';
import { type Constituent, constituentsOf, indexCardOf } from './constituents.ts';
import { indexBySlugAsOf } from './indices-as-of.ts';
import { contributionOf } from './method/level.ts';
import type { BasketMember } from './method/walk.ts';
import { closedBasket, type IndexRow, recentLevels, subIndicesOf } from './rows.ts';
import { calendarDay, indexConstituent, indexParams, indexTile } from './shapes.ts';
import { INDEX_MAX_AGE_SECONDS, isLive, tileOf } from './tiles.ts';
import { turnoverOf } from './turnover.ts';

/** Window of the trades counted. */
const TRADE_WINDOW_DAYS = 90;

const response = Type.Intersect(
  [
    indexTile,
    Type.Object({
      windowDays: Type.Integer(),
      baseDate: nullable(calendarDay),
      tradeCountWindow: Type.Integer({ description: 'Sales of the baskets in the last `windowDays` days.' }),
      methodologyVersion: Type.String(),
      asOf: nullable(
        Type.String({
          format: 'date',
          description:
            'Day of the close that the prices of `constituents` are of; their own pages may have later ones. Null while computing.',
        }),
      ),
      constituents: Type.Array(indexConstituent),
      subIndices: Type.Array(Type.Object({ slug: Type.String(), label: Type.String() }), {
        description: 'Narrower indices of the game; they answer on the same routes.',
      }),
    }),
  ],
  { title: 'IndexDetail' },
);

export type IndexDetail = Static<typeof response>;

/** `GET /v1/indices/{game}`. */
export const indexDetail = endpoint({
  id: 'index',
  summary: 'A market index with its constituents',
  params: indexParams,
  query: Type.Object({ asOf: asOfParameter }),
  response,
  maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
  statuses: [404],
  async handle({ db }, { params, query }) {
    const asOf = await asOfDay(db, query.asOf);
    const { index, isForGood } = await indexBySlugAsOf(db, params.game, asOf);
    return { body: { ...(await detailOf(db, index)), ...asOfAnswer(asOf).member }, isForGood };
  },
});

/** An index with its constituents; without any while computing. What is of the last close is kept for it. */
export async function detailOf(db: PricedDb & KeptSql, index: IndexRow): Promise<IndexDetail> {
  const read = () => readDetail(db, index);
  const [detail, subIndices] = await Promise.all([
    index.asOf === null ? keep(db, `detail of ${index.madeFor}`, read) : read(),
    index.slug === index.game ? subIndicesOf(db, [index.game]) : [],
  ]);
  return { ...detail, subIndices: subIndices.map(({ slug, label }) => ({ slug, label })) };
}

async function readDetail(db: PricedDb, index: IndexRow): Promise<Omit<IndexDetail, 'subIndices'>> {
  const [levels, constituents, tradeCountWindow] = await Promise.all([
    recentLevels(db, [index]),
    pricedConstituents(db, index),
    tradeCountOf(db, index),
  ]);
  return {
    ...tileOf(index, levels, constituents),
    windowDays: TRADE_WINDOW_DAYS,
    baseDate: index.baseDay === null ? null : formatDay(index.baseDay),
    tradeCountWindow,
    methodologyVersion: index.methodologyVersion,
    asOf: isLive(index) ? formatDay(pricedDayOf(constituents) ?? index.lastDay) : null,
    constituents: constituents.map(constituentOf),
  };
}

/** `member` as its rotation took it, `now` as the last close did. */
type PricedConstituent = Constituent<BasketMember> & { now: BasketMember };

async function pricedConstituents(db: PricedDb, index: IndexRow): Promise<PricedConstituent[]> {
  const basket = isLive(index) ? await basketAfter(db, index.slug, index.lastDay) : null;
  if (basket === null) return [];
  const [closed, constituents] = await Promise.all([
    closedBasket(db, basket, index.lastDay!),
    constituentsOf(db, basket.members, index.asOf?.day ?? null),
  ]);
  const nowById = new Map(closed.members.map((member) => [member.itemId, member]));
  return constituents.flatMap((one) => {
    const now = nowById.get(one.member.itemId);
    return now === undefined ? [] : [{ ...one, now }];
  });
}

/** Ranks are places in the basket: among the eligible it may have skipped some. */
function constituentOf({ member, item, quote, now }: PricedConstituent, place: number) {
  return {
    rank: place + 1,
    ...indexCardOf(item, member.gradeKey),
    priceUsdCents: quote?.priceUsdCents ?? null,
    deltaPct: quote?.delta7Pct ?? null,
    lastSaleAt: iso(quote?.lastSaleAtMs),
    weight: now.weight,
    contribution: contributionOf(now, member.priceUsd),
    turnover90UsdCents: member.turnover90UsdCents,
  };
}

/** The close that the prices are of: a later one than that of the level, while the index has not closed it yet. */
function pricedDayOf(constituents: readonly PricedConstituent[]): number | null {
  return constituents.find(({ quote }) => quote?.day != null)?.quote?.day ?? null;
}

async function tradeCountOf(sql: Sql, index: IndexRow): Promise<number> {
  if (!isLive(index)) return 0;
  const days = await turnoverOf(sql, index, index.lastDay - TRADE_WINDOW_DAYS + 1);
  return days.reduce((count, { sales }) => count + sales, 0);
}
