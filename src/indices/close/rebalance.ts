import { type Static, Type } from 'typebox';
import type { Sql } from '../../db/client.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readDay } from '../../http/parameters.ts';
import { notFound, type ProblemError } from '../../http/problem.ts';
import { type ItemRow, itemMap } from '../../items/item-row.ts';
import { nullable } from '../../items/shapes.ts';
import { formatDay } from '../../lib/day.ts';
import { roundHalfUp } from '../../lib/money.ts';
import { indexCardOf } from '../constituents.ts';
import { seriesKey } from '../method/basket.ts';
import type { BasketMember } from '../method/walk.ts';
import { closedBasket, type IndexRow, indexBySlug } from '../rows.ts';
import { calendarDay, indexMember, indexParams } from '../shapes.ts';
import { INDEX_MAX_AGE_SECONDS } from '../tiles.ts';
import { basketAfter } from './store.ts';

const response = Type.Object(
  {
    game: Type.String(),
    date: calendarDay,
    levelBefore: nullable(Type.Number({ description: 'Unrounded. Null while the index is computing.' })),
    levelAfter: nullable(
      Type.Number({
        description: 'Unrounded; equal to `levelBefore` by the choice of the divisor. Null while computing.',
      }),
    ),
    divisorBefore: nullable(Type.Number({ description: 'Null on the base date.' })),
    divisorAfter: nullable(Type.Number({ description: 'Null while the index is computing.' })),
    methodologyVersion: Type.String(),
    rotationSkipped: Type.Boolean({ description: 'Too few series were eligible: the basket before continues.' }),
    eligible: Type.Integer({ description: 'Cards that were eligible.' }),
    members: Type.Array(indexMember),
    added: Type.Array(indexMember),
    removed: Type.Array(indexMember),
  },
  { title: 'IndexRebalance' },
);

/** `GET /v1/indices/{game}/rebalance/{date}`. */
export const rebalance = endpoint({
  id: 'indexRebalance',
  summary: 'The basket of a rotation day, and what it took in and let go',
  params: Type.Object({
    ...indexParams.properties,
    date: Type.String({ minLength: 1, maxLength: 400, description: 'Rotation day, `YYYY-MM-DD` (UTC).' }),
  }),
  response,
  maxAgeSeconds: INDEX_MAX_AGE_SECONDS,
  statuses: [404],
  async handle({ db }, { params }) {
    const day = readDay('date', params.date);
    const index = await indexBySlug(db, params.game);
    if (index.baseDay === null) return { body: computing(index, day) };
    const rotations = await rotationsOf(db, index.slug);
    const rotation = rotations.find((one) => one.day === day);
    if (rotation === undefined) throw noRotation(rotations, day);
    const [old, chosen] = await Promise.all([
      basketAfter(db, index.slug, day - 1).then((basket) => basket && closedBasket(db, basket, day)),
      basketAfter(db, index.slug, day),
    ]);
    const left = old?.members ?? [];
    const members = rotation.skipped ? left : chosen!.members;
    const items = await itemMap(db, [...new Set([...left, ...members].map(({ itemId }) => itemId))]);
    const body = rebalanceOf(index, rotation, left, members, items);
    return { body };
  },
});

/** The answer for any day of an index that has had no basket yet. */
function computing({ game, methodologyVersion }: IndexRow, day: number): Static<typeof response> {
  return {
    game,
    date: formatDay(day),
    levelBefore: null,
    levelAfter: null,
    divisorBefore: null,
    divisorAfter: null,
    methodologyVersion,
    rotationSkipped: false,
    eligible: 0,
    members: [],
    added: [],
    removed: [],
  };
}

/** A rotation of an index that is live. */
type StoredRotation = {
  day: number;
  eligible: number;
  skipped: boolean;
  level: number;
  divisorBefore: number | null;
  divisorAfter: number;
  methodologyVersion: string;
};

/** Rising by day; attempts that found too few series are not included. */
async function rotationsOf(sql: Sql, slug: string): Promise<StoredRotation[]> {
  return sql.prepared<StoredRotation>(
    'indices_rotations',
    `select day, eligible, skipped, level, divisor_before as "divisorBefore", divisor_after as "divisorAfter",
       methodology_version as "methodologyVersion"
     from index_rotations where slug = $1 and level is not null order by day`,
    [slug],
  );
}

function noRotation(rotations: readonly StoredRotation[], day: number): ProblemError {
  const nearest = rotations
    .map((one) => one.day)
    .sort((a, b) => Math.abs(a - day) - Math.abs(b - day))
    .slice(0, 2)
    .sort((a, b) => a - b)
    .map(formatDay);
  return notFound(`The basket did not rotate on this day; the nearest rotation days are ${nearest.join(' and ')}.`, {
    nearest,
  });
}

/**
 * What a rotation changed; prices are those of its close. A series that left before, voided or withdrawn, is in neither
 * basket.
 */
function rebalanceOf(
  index: IndexRow,
  rotation: StoredRotation,
  old: readonly BasketMember[],
  members: readonly BasketMember[],
  itemById: ReadonlyMap<string, ItemRow>,
): Static<typeof response> {
  const shown = (basket: readonly BasketMember[]) =>
    basket.map((member, place) => ({
      rank: place + 1,
      ...indexCardOf(itemById.get(member.itemId)!, member.gradeKey),
      priceUsdCents: Math.max(1, roundHalfUp(member.priceUsd * 100)),
      weight: member.weight,
    }));
  const without = (some: readonly BasketMember[], others: readonly BasketMember[]) => {
    const keys = new Set(others.map((one) => seriesKey(one.itemId, one.gradeKey)));
    return shown(some).filter((_, place) => !keys.has(seriesKey(some[place]!.itemId, some[place]!.gradeKey)));
  };
  const { level, divisorBefore, divisorAfter, methodologyVersion, skipped, eligible } = rotation;
  return {
    game: index.game,
    date: formatDay(rotation.day),
    levelBefore: level,
    levelAfter: level,
    divisorBefore,
    divisorAfter,
    methodologyVersion,
    rotationSkipped: skipped,
    eligible,
    members: shown(members),
    added: without(members, old),
    removed: without(old, members),
  };
}
