import type { CountedSale } from './evidence.ts';
import { type Closed, closePrices, levelOf, withoutMembers } from './level.ts';

/**
 * From one rotation to the next, day by day: voided and withdrawn cards leave, the others take their price, the level
 * follows. Needs nothing but the basket, the daily values, the sales and the leaving days, so that any day can be walked again.
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

/** A member taken out because its last sale was voided or its item withdrawn; `priceUsd` is its last value. */
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

/** What the walk reads, by place in the basket. */
export type WalkInputs = {
  /** The model's value at the close of a day; null: no price. */
  valueUsd(place: number, day: number): number | null;
  /** The first close without the member: its last sale was voided or its item withdrawn; null: it stays. */
  leavingDay(place: number): number | null;
  /** Counted sales as known by the close of a day. */
  salesOf(place: number, day: number): Iterable<CountedSale>;
};

/** Every day after the rotation through `toDay`. */
export function walk(basket: Basket, inputs: WalkInputs, toDay: number): WalkedDay[] {
  const { rotationDay } = basket;
  const walked: WalkedDay[] = [];
  let { level, divisor } = basket;
  // `place` in the basket as its rotation left it.
  let members = basket.members.map((member, place) => ({ ...member, place }));
  for (let day = rotationDay + 1; day <= toDay; day++) {
    const removals: Removal[] = [];
    const leaving = members.filter(({ place }) => inputs.leavingDay(place) === day);
    if (leaving.length > 0) {
      const left = withoutMembers(members, (member) => leaving.includes(member), level);
      for (const { itemId, priceUsd } of leaving) {
        removals.push({ itemId, rotationDay, day, priceUsd, divisorBefore: divisor, divisorAfter: left.divisor });
      }
      ({ members, divisor } = left);
    }
    const before = members;
    const values = before.map(({ place }) => inputs.valueUsd(place, day));
    const closed = closePrices(before, values, (i) => inputs.salesOf(before[i]!.place, day), day);
    const after = before.map((member, i) => ({ ...member, ...closed[i]! }));
    level = levelOf(after, divisor);
    walked.push({ day, level, divisor, members: after, removals });
    members = after;
  }
  return walked;
}
