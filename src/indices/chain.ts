import type { Session, Sql } from '../db/client.ts';
import { closesOf } from '../pricing/closes.ts';
import { chooseBasket, isRotationDay, type Ranked, seriesKey } from './basket.ts';
import { candidatesOf } from './candidates.ts';
import type { IndexDefinition } from './definitions.ts';
import type { CountedSale } from './evidence.ts';
import { openWindows, type SeriesWindow, salesByClose, voidedDays } from './known-sales.ts';
import { divisorFor } from './level.ts';
import { INDEX_RULES, METHODOLOGY_VERSION } from './rules.ts';
import { type Basket, type Removal, type WalkedDay, walk } from './walk.ts';

/** The level of a day and the divisor it was computed with. */
export type LevelOfDay = { day: number; level: number; divisor: number; methodologyVersion: string };

/** A first day of a month. `basket` is the new one; null: too few were eligible. Nulls while computing. */
export type Rotation = {
  day: number;
  eligible: number;
  level: number | null;
  divisorBefore: number | null;
  divisorAfter: number | null;
  methodologyVersion: string;
  basket: Basket | null;
};

/** Days up to a rotation, that one included, or up to the last day asked for. */
export type Stretch = { toDay: number; levels: LevelOfDay[]; removals: Removal[]; rotation: Rotation | null };

/**
 * Computes an index for the days from `fromDay` through `through`, both closed, in order: stretch by stretch, from
 * `basket`, the one in force before `fromDay` (null while computing). The same for the daily close, a rebuild and a sub-index.
 * `session` holds the prices and the sales it follows from.
 */
export async function* stretchesOf(
  session: Session,
  index: IndexDefinition,
  basket: Basket | null,
  fromDay: number,
  through: number,
): AsyncGenerator<Stretch> {
  const rotationDays: number[] = [];
  for (let day = fromDay; day <= through; day++) if (isRotationDay(day)) rotationDays.push(day);
  const windowOf = rotationDays.length === 0 ? null : await openWindows(session, index, rotationDays);
  let from = fromDay;
  for (const toDay of [...rotationDays.filter((day) => day !== through), through]) {
    const walked = basket === null ? [] : await walkBasket(session, basket, toDay);
    const days = walked.filter(({ day }) => day >= from);
    const levels = days.map((one) => levelOfDay(one, basket!.methodologyVersion));
    let rotation: Rotation | null = null;
    if (isRotationDay(toDay)) {
      const window = await windowOf!(toDay);
      rotation = await rotate(session, basket, walked.at(-1) ?? null, toDay, window);
      if (basket === null && rotation.basket !== null) levels.push(baseLevel(rotation.basket));
      basket = rotation.basket ?? basket;
    }
    yield { toDay, levels, removals: days.flatMap((one) => one.removals), rotation };
    from = toDay + 1;
  }
}

function levelOfDay({ day, level, divisor }: WalkedDay, methodologyVersion: string): LevelOfDay {
  return { day, level, divisor, methodologyVersion };
}

function baseLevel({ rotationDay, level, divisor, methodologyVersion }: Basket): LevelOfDay {
  return { day: rotationDay, level, divisor, methodologyVersion };
}

/** The days of a basket from its rotation through `toDay`, each with the prices the index took. */
export async function walkBasket(sql: Sql, basket: Basket, toDay: number): Promise<WalkedDay[]> {
  const { rotationDay, members } = basket;
  const firstDay = rotationDay + 1;
  if (toDay < firstDay) return [];
  const closes = await closesOf(sql, members, firstDay, toDay);
  const voided = await voidedDays(sql, members, firstDay, toDay);
  const sales = new Map<number, (day: number) => CountedSale[]>();
  // Few members leap, and only their sales are looked at: walked again until no sales are missing.
  for (;;) {
    const missing = new Set<number>();
    const walked = walk(
      basket,
      {
        valueUsd: (place, day) => closes[place]![day - firstDay]?.priceUsd ?? null,
        voidedDay: (place) => voided.get(place) ?? null,
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
  session: Session,
  basket: Basket | null,
  before: WalkedDay | null,
  day: number,
  window: readonly SeriesWindow[],
): Promise<Rotation> {
  const held = new Map(
    before?.members.map(({ itemId, gradeKey, priceUsd }) => [seriesKey(itemId, gradeKey), priceUsd]),
  );
  const candidates = await candidatesOf(session, window, held, day);
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

function memberOf({ itemId, gradeKey, rank, priceUsd, turnover90UsdCents }: Ranked, count: number) {
  return { itemId, gradeKey, rank, weight: 1 / count, priceUsd, turnover90UsdCents };
}
