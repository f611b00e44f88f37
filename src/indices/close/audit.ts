import type { Session } from '../../db/client.ts';
import { formatDay } from '../../lib/day.ts';
import { isRotationDay } from '../method/basket.ts';
import { INDEX_RULES, METHODOLOGY_VERSION } from '../method/rules.ts';
import type { Basket, Removal, WalkedDay } from '../method/walk.ts';
import { type ChainRotation, type LevelOfDay, walkBasket } from './chain.ts';
import { publishedLevels, publishedRemovals, publishedRotations, publishedSpan } from './store.ts';

/** Relative error of doubles that were computed in another order. */
const TOLERANCE = 1e-12;

type Mistake = { day: number; what: string };

export type AuditReport = {
  slug: string;
  /** Null while computing. */
  baseDay: number | null;
  lastDay: number | null;
  levels: number;
  rotations: number;
  skipped: number;
  mistakes: Mistake[];
};

/**
 * Checks what is stored of an index with arithmetic of its own: `level = G / D` of every day from the prices its basket took,
 * the divisor chain through rotations and removals, the base, weights and ranks, methodology versions, and that no day is
 * missing. Whether a basket was the right one is checked by `rebuildIndex`.
 */
export async function auditIndex(
  session: Session,
  slug: string,
  onDay?: (day: number, days: number, totalDays: number) => void,
): Promise<AuditReport> {
  const priced = { ...session, prices: {} };
  const { firstDay, lastDay } = await publishedSpan(session, slug);
  const from = firstDay ?? 0;
  const to = lastDay ?? -1;
  const rotations = await publishedRotations(session, slug, from, to);
  const mistakes: Mistake[] = [];
  const note = (day: number, what: string) => mistakes.push({ day, what });
  const baskets = rotations.flatMap(({ basket }) => basket ?? []);
  checkRotationDays(rotations, to, note);
  const levels = baskets.length === 0 ? [] : await publishedLevels(session, slug, from, to);
  checkBase(baskets[0], levels, await baseDayOf(session, slug), note);
  checkDays(levels, baskets[0]?.rotationDay, to, note);
  const levelOn = new Map(levels.map((one) => [one.day, one]));
  for (const [i, basket] of baskets.entries()) {
    const endDay = baskets[i + 1]?.rotationDay ?? to;
    checkBasket(basket, levelOn.get(basket.rotationDay), note);
    const removals = await publishedRemovals(session, slug, basket.rotationDay + 1, endDay);
    const walked = await walkBasket(priced, basket, endDay);
    checkChain(basket, walked, levelOn, removals, note);
    checkRotations(rotations, basket, endDay, levelOn, note);
    onDay?.(endDay, endDay - from + 1, to - from + 1);
  }
  const skipped = rotations.filter(({ basket }) => basket === null).length;
  const baseDay = baskets[0]?.rotationDay ?? null;
  mistakes.sort((a, b) => a.day - b.day);
  return { slug, baseDay, lastDay, levels: levels.length, rotations: rotations.length, skipped, mistakes };
}

type Note = (day: number, what: string) => void;

async function baseDayOf(session: Session, slug: string): Promise<number | null> {
  const [row] = await session.query<{ day: number | null }>('select base_day as day from indices where slug = $1', [
    slug,
  ]);
  return row?.day ?? null;
}

/** Every first of a month has its row, in order, from the first one on. */
function checkRotationDays(rotations: readonly ChainRotation[], lastDay: number, note: Note): void {
  const days = new Set(rotations.map(({ day }) => day));
  for (const day of days) if (!isRotationDay(day)) note(day, 'a rotation on a day that is not the first of its month');
  for (let day = rotations[0]?.day ?? lastDay + 1; day <= lastDay; day++) {
    if (isRotationDay(day) && !days.has(day)) note(day, 'the rotation is missing');
  }
}

function checkBase(first: Basket | undefined, levels: readonly LevelOfDay[], baseDay: number | null, note: Note): void {
  if (baseDay !== (first?.rotationDay ?? null)) note(baseDay ?? 0, 'the base day is not the first basket’s');
  if (first === undefined) return;
  const [base] = levels;
  if (base?.day !== first.rotationDay) note(first.rotationDay, 'the first level is not on the base day');
  if (base?.level !== INDEX_RULES.base) note(first.rotationDay, `the base is not exactly ${INDEX_RULES.base}`);
}

function checkDays(levels: readonly LevelOfDay[], baseDay: number | undefined, lastDay: number, note: Note): void {
  if (baseDay === undefined) return;
  const days = new Set(levels.map(({ day }) => day));
  for (let day = baseDay; day <= lastDay; day++) if (!days.has(day)) note(day, 'the level is missing');
}

/** Weights, ranks, version, and that the new divisor leaves the level where it was. */
function checkBasket(basket: Basket, level: LevelOfDay | undefined, note: Note): void {
  const { rotationDay: day, members } = basket;
  const total = members.reduce((sum, { weight }) => sum + weight, 0);
  if (differ(total, 1)) note(day, `the weights add up to ${total}`);
  if (members.some(({ weight }) => differ(weight, 1 / members.length))) note(day, 'the weights are not equal');
  if (members.length < INDEX_RULES.minMembers || members.length > INDEX_RULES.maxMembers)
    note(day, `the basket has ${members.length} members`);
  if (level !== undefined && differ(meanPrice(members) / basket.divisor, level.level))
    note(day, `the level jumps at the rotation: G / D = ${meanPrice(members) / basket.divisor}, level ${level.level}`);
  if (level !== undefined && basket.level !== level.level) note(day, 'the level of the rotation is not the day’s');
  if (Number(basket.methodologyVersion) > Number(METHODOLOGY_VERSION))
    note(day, `methodology ${basket.methodologyVersion} is newer than this program`);
}

/** Each day's level from the basket's prices, with the weights and the divisor that follow from rotation and removals. */
function checkChain(
  basket: Basket,
  walked: readonly WalkedDay[],
  levelOn: ReadonlyMap<number, LevelOfDay>,
  removals: readonly Removal[],
  note: Note,
): void {
  let divisor = basket.divisor;
  for (const { day, members } of walked) {
    for (const removal of removals.filter((one) => one.day === day)) {
      if (differ(removal.divisorBefore, divisor)) note(day, 'a removal does not begin at the divisor before it');
    }
    const removed = removals.find((one) => one.day === day);
    if (removed !== undefined) {
      divisor = removed.divisorAfter;
      const levelBefore = levelOn.get(day - 1)?.level;
      const left = walked.find((one) => one.day === day - 1)?.members ?? basket.members;
      const kept = left.filter(({ itemId }) => members.some((member) => member.itemId === itemId));
      if (levelBefore !== undefined && differ(meanPrice(kept) / divisor, levelBefore))
        note(day, 'the level jumps at a removal');
    }
    const level = levelOn.get(day);
    if (level === undefined) continue;
    if (level.divisor !== divisor) note(day, `the divisor is ${level.divisor}, the chain says ${divisor}`);
    const value = meanPrice(members);
    if (differ(level.level, value / divisor)) note(day, `the level is ${level.level}, G / D = ${value / divisor}`);
    if (level.methodologyVersion !== basket.methodologyVersion) note(day, 'another methodology than its basket’s');
  }
}

/** A rotation begins where its day ended; a skipped one changes nothing. */
function checkRotations(
  rotations: readonly ChainRotation[],
  basket: Basket,
  endDay: number,
  levelOn: ReadonlyMap<number, LevelOfDay>,
  note: Note,
): void {
  for (const { day, basket: next, level, divisorBefore, divisorAfter } of rotations) {
    if (day <= basket.rotationDay || day > endDay) continue;
    const ofDay = levelOn.get(day);
    if (divisorBefore !== ofDay?.divisor || level !== ofDay?.level)
      note(day, 'the rotation does not begin at the level and divisor of its day');
    if (next === null && divisorAfter !== divisorBefore) note(day, 'a skipped rotation changed the divisor');
  }
}

/** `G = exp(sum of w ln p)` with equal weights, from the prices alone; 1 without members, which keeps the level. */
function meanPrice(members: readonly { priceUsd: number }[]): number {
  let product = 0;
  for (const { priceUsd } of members) product += Math.log(priceUsd);
  return members.length === 0 ? 1 : Math.exp(product / members.length);
}

/** Whether two levels or divisors differ by more than the order of computing explains. */
export function differ(one: number, other: number): boolean {
  return !(Math.abs(one - other) <= TOLERANCE * Math.abs(other));
}

/** `2026-11-01: the rotation is missing`. */
export function mistakeLine({ day, what }: Mistake): string {
  return `${formatDay(day)}: ${what}`;
}
