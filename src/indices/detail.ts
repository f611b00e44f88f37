import { type Static, Type } from 'typebox';
import type { Sql } from '../db/client.ts';
import { endpoint } from '../http/endpoint.ts';
import { nullable } from '../items/shapes.ts';
import { iso } from '../items/summary.ts';
import { formatDay } from '../lib/day.ts';
import { type Constituent, constituentsOf, indexCardOf } from './constituents.ts';
import { contributionOf } from './level.ts';
import { closedBasket, type IndexRow, indexBySlug, recentLevels, subIndicesOf } from './rows.ts';
import { calendarDay, indexConstituent, indexParams, indexTile } from './shapes.ts';
import { basketAfter } from './store.ts';
import { changedMs, INDEX_MAX_AGE_SECONDS, isLive, tileOf } from './tiles.ts';
import type { BasketMember } from './walk.ts';

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
      constituents: Type.Array(indexConstituent),
      subIndices: Type.Array(Type.Object({ slug: Type.String(), label: Type.String() }), {
        description: 'Narrower indices of the game; they answer on the same routes.',
      }),
    }),
  ],
  { title: 'IndexDetail' },
);

/** `GET /v1/indices/{game}`. */
export const indexDetail = endpoint({
  id: 'index',
  summary: 'A market index with its constituents',
  params: indexParams,
  response,
  maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
  statuses: [404],
  async handle({ db }, { params }) {
    const index = await indexBySlug(db, params.game);
    const [levels, constituents, tradeCountWindow, subIndices] = await Promise.all([
      recentLevels(db, [index]),
      membersNow(db, index).then((members) => constituentsOf(db, members)),
      tradeCountOf(db, index),
      index.slug === index.game ? subIndicesOf(db, index.game) : [],
    ]);
    const body: Static<typeof response> = {
      ...tileOf(index, levels, constituents),
      windowDays: TRADE_WINDOW_DAYS,
      baseDate: index.baseDay === null ? null : formatDay(index.baseDay),
      tradeCountWindow,
      methodologyVersion: index.methodologyVersion,
      constituents: constituents.map(constituentOf),
      subIndices: subIndices.map(({ slug, label }) => ({ slug, label })),
    };
    return { body, lastModifiedMs: changedMs(index) };
  },
});

type MemberNow = BasketMember & { rotationPriceUsd: number };

/** The basket in force with the prices of the last close, and those of its rotation. */
async function membersNow(sql: Sql, index: IndexRow): Promise<MemberNow[]> {
  const basket = isLive(index) ? await basketAfter(sql, index.slug, index.lastDay) : null;
  if (basket === null) return [];
  const atRotation = new Map(basket.members.map(({ itemId, priceUsd }) => [itemId, priceUsd]));
  const { members } = await closedBasket(sql, basket, index.lastDay!);
  return members.map((member) => ({ ...member, rotationPriceUsd: atRotation.get(member.itemId)! }));
}

/** Ranks are places in the basket: among the eligible it may have skipped some. */
function constituentOf({ member, item, quote }: Constituent<MemberNow>, place: number) {
  const { weight, gradeKey, turnover90UsdCents, rotationPriceUsd } = member;
  return {
    rank: place + 1,
    ...indexCardOf(item, gradeKey),
    priceUsdCents: quote?.priceUsdCents ?? null,
    deltaPct: quote?.delta7Pct ?? null,
    lastSaleAt: iso(quote?.lastSaleAtMs),
    weight,
    contribution: contributionOf(member, rotationPriceUsd),
    turnover90UsdCents,
  };
}

async function tradeCountOf(sql: Sql, index: IndexRow): Promise<number> {
  if (!isLive(index)) return 0;
  const [row] = await sql.prepared<{ count: number }>(
    'indices_trade_count',
    'select coalesce(sum(sale_count), 0)::int as count from index_days where slug = $1 and day > $2',
    [index.slug, index.lastDay - TRADE_WINDOW_DAYS],
  );
  return row!.count;
}
