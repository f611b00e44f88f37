import type { CountedSale } from './evidence.ts';
import { type Closed, closePrices, levelOf, withoutMembers } from './level.ts';

/**
 * From one rotation to the next, day by day: voided cards leave, the others take their price, the level follows. Needs
 * nothing but the basket, the closes and the sales, so that any day can be walked again.
 */

/** `priceUsd`: unrounded dollars that the index takes, at the close of the rotation or of a walked day. */
export type BasketMember = {
  itemId: string;
  gradeKey: string;
  /** Among the eligible; rises, with gaps. */
  rank: number;
  weight: number;
  priceUsd: number;
  turnover90UsdCents: number;
};

export type Basket = {
  rotationDay: number;
  level: number;
  /** In force from the close of the rotation. */
  divisor: number;
  methodologyVersion: string;
  /** In order of rank, with the prices of the rotation. */
  members: BasketMember[];
};

/** A member taken out because its last sale was voided; `priceUsd` is its last value. */
export type Removal = {
  itemId: string;
  rotationDay: number;
  day: number;
  priceUsd: number;
  divisorBefore: number;
  divisorAfter: number;
};

export type WalkedDay = {
  day: number;
  level: number;
  divisor: number;
  members: (BasketMember & Closed)[];
  removals: Removal[];
};

/** What the walk is told, by place in the basket. */
export type Told = {
  /** The model's value at the close of a day; null: no price. */
  valueUsd(place: number, day: number): number | null;
  /** The first close at which no sale of the series stood; null: it kept one. */
  voidedDay(place: number): number | null;
  /** Counted sales as known by the close of a day. */
  salesOf(place: number, day: number): Iterable<CountedSale>;
};

/** Every day after the rotation through `toDay`. */
export function walk(basket: Basket, told: Told, toDay: number): WalkedDay[] {
  const { rotationDay } = basket;
  const walked: WalkedDay[] = [];
  let { level, divisor } = basket;
  // `place` in the basket as its rotation left it.
  let members = basket.members.map((member, place) => ({ ...member, place }));
  for (let day = rotationDay + 1; day <= toDay; day++) {
    const removals: Removal[] = [];
    const voided = members.filter(({ place }) => told.voidedDay(place) === day);
    // A basket whose last members are voided together has no better value than the last one.
    if (voided.length > 0 && voided.length < members.length) {
      const left = withoutMembers(members, (member) => voided.includes(member), level);
      for (const { itemId, priceUsd } of voided) {
        removals.push({ itemId, rotationDay, day, priceUsd, divisorBefore: divisor, divisorAfter: left.divisor });
      }
      ({ members, divisor } = left);
    }
    const before = members;
    const values = before.map(({ place }) => told.valueUsd(place, day));
    const closed = closePrices(before, values, (i) => told.salesOf(before[i]!.place, day), day);
    const after = before.map((member, i) => ({ ...member, ...closed[i]! }));
    level = levelOf(after, divisor);
    walked.push({ day, level, divisor, members: after, removals });
    members = after;
  }
  return walked;
}
