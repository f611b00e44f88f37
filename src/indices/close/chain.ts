import type { Db, Sql } from '../../db/client.ts';
import { daysFrom } from '../../lib/day.ts';
import { awaitedLater } from '../../lib/in-turn.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import type { IndexDefinition } from '../definitions.ts';
import { chooseBasket, isRotationDay, type RankedCandidate, seriesKey } from '../method/basket.ts';
import type { CountedSale } from '../method/evidence.ts';
import { divisorFor } from '../method/level.ts';
import { INDEX_RULES, METHODOLOGY_VERSION } from '../method/rules.ts';
import { type Basket, type Removal, type WalkedDay, walk } from '../method/walk.ts';
import { candidatesOf } from './candidates.ts';
import { leavingDays, salesByClose } from './known-sales.ts';
import { linkedValuesOf } from './linked-values.ts';
import { readUniverse, type UniverseSales } from './universe-sales.ts';

/** The level of a day and the divisor it was computed with. */
export type LevelOfDay = { day: number; level: number; divisor: number; methodologyVersion: string };

/** A first day of a month. `basket` is the new one; null: too few were eligible. Nulls while computing. */
export type ChainRotation = {
  day: number;
  eligible: number;
  level: number | null;
  divisorBefore: number | null;
  divisorAfter: number | null;
  methodologyVersion: string;
  basket: Basket | null;
};

/** Days up to a rotation, that one included, or up to the last day requested. */
export type IndexStretch = { toDay: number; levels: LevelOfDay[]; removals: Removal[]; rotation: ChainRotation | null };

/** Rotations that are read together: more of them are read faster, and take more memory. */
const ROTATIONS_AT_ONCE = 12;

/**
 * Computes an index for the days from `fromDay` through `through`, both closed, in order: stretch by stretch, from
 * `basket`, the one in force before `fromDay` (null while computing). The same for the daily close, a rebuild and a sub-index.
 * `session` reads the prices and sales of a rotation, and a second connection of `db`, the same database, those of the next.
 */
export async function* stretchesOf(
  db: Db,
  session: PricedSql,
  index: IndexDefinition,
  basket: Basket | null,
  fromDay: number,
  through: number,
): AsyncGenerator<IndexStretch> {
  const rotationDays = daysFrom(fromDay, through).filter(isRotationDay);
  const readFrom = (first: number) => {
    const days = rotationDays.slice(first, first + ROTATIONS_AT_ONCE);
    return awaitedLater(db.session((ahead) => readUniverse({ ...ahead, prices: session.prices }, index, days)));
  };
  let from = fromDay;
  let reading = rotationDays.length > 0 ? readFrom(0) : null;
  for (let next = ROTATIONS_AT_ONCE; reading !== null; next += ROTATIONS_AT_ONCE) {
    const universe: UniverseSales = await reading;
    // The next ones are read while these are computed.
    reading = next < rotationDays.length ? readFrom(next) : null;
    for (const day of universe.rotationDays) {
      const walked = basket === null ? [] : await walkBasket(session, basket, day);
      const rotation = await rotate(session, universe, basket, walked.at(-1) ?? null, day);
      yield stretchOf(basket, walked, from, day, rotation);
      basket = rotation.basket ?? basket;
      from = day + 1;
    }
  }
  if (from > through || basket === null) return;
  yield stretchOf(basket, await walkBasket(session, basket, through), from, through, null);
}

function stretchOf(
  basket: Basket | null,
  walked: readonly WalkedDay[],
  fromDay: number,
  toDay: number,
  rotation: ChainRotation | null,
): IndexStretch {
  const days = walked.filter(({ day }) => day >= fromDay);
  const levels = days.map((one) => levelOfDay(one, basket!));
  const first = basket === null ? rotation?.basket : null;
  if (first) levels.push(levelOfDay({ ...first, day: first.rotationDay }, first));
  return { toDay, levels, removals: days.flatMap((one) => one.removals), rotation };
}

function levelOfDay({ day, level, divisor }: Omit<LevelOfDay, 'methodologyVersion'>, basket: Basket): LevelOfDay {
  return { day, level, divisor, methodologyVersion: basket.methodologyVersion };
}

/** The days of a basket from its rotation through `toDay`, each with the prices the index took. */
export async function walkBasket(sql: PricedSql, basket: Basket, toDay: number): Promise<WalkedDay[]> {
  const { rotationDay, members } = basket;
  const firstDay = rotationDay + 1;
  if (toDay < firstDay) return [];
  const values = await linkedValuesOf(sql, members, rotationDay, toDay);
  const leaving = await leavingDays(sql, members, firstDay, toDay);
  const sales = new Map<number, (day: number) => CountedSale[]>();
  // Few members jump, and only their sales are read: the walk is repeated until no sales are missing.
  for (;;) {
    const missing = new Set<number>();
    const walked = walk(
      basket,
      {
        valueUsd: (place, day) => values[place]![day - rotationDay] ?? null,
        leavingDay: (place) => leaving.get(place) ?? null,
        salesOf(place, day) {
          const ofMember = sales.get(place);
          if (ofMember === undefined) missing.add(place);
          return ofMember?.(day) ?? [];
        },
      },
      toDay,
    );
    if (missing.size === 0) return walked;
    for (const place of missing) sales.set(place, await salesByClose(sql, members[place]!, firstDay, toDay));
  }
}

async function rotate(
  session: Sql,
  universe: UniverseSales,
  basket: Basket | null,
  before: WalkedDay | null,
  day: number,
): Promise<ChainRotation> {
  const held = new Map(
    before?.members.map(({ itemId, gradeKey, priceUsd }) => [seriesKey(itemId, gradeKey), priceUsd]),
  );
  const candidates = await candidatesOf(session, universe, held, day);
  const choice = chooseBasket(candidates, new Set(held.keys()), day);
  const { eligible } = choice;
  const divisorBefore = before?.divisor ?? null;
  if ('skipped' in choice) {
    const methodologyVersion = basket?.methodologyVersion ?? METHODOLOGY_VERSION;
    const level = before?.level ?? null;
    return { day, eligible, level, divisorBefore, divisorAfter: divisorBefore, methodologyVersion, basket: null };
  }
  const level = before?.level ?? INDEX_RULES.base;
  const members = choice.members.map((one) => memberOf(one, choice.members.length));
  const divisor = divisorFor(members, level);
  const methodologyVersion = METHODOLOGY_VERSION;
  const next: Basket = { rotationDay: day, level, divisor, methodologyVersion, members };
  return { day, eligible, level, divisorBefore, divisorAfter: divisor, methodologyVersion, basket: next };
}

function memberOf({ itemId, gradeKey, rank, priceUsd, turnover90UsdCents }: RankedCandidate, count: number) {
  return { itemId, gradeKey, rank, weight: 1 / count, priceUsd, turnover90UsdCents };
}
