/** Simulated lives of slabs for `certs-clones.ts`: what a ledger has of honest ones and of copied ones. */

import type { SlabRecord, SlabSale } from '../../src/graded/history/contradictions.ts';
import { MS_PER_DAY } from '../../src/lib/day.ts';
import { uniformOf } from '../../src/lib/seeded.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2024, 0, 1);
const DAYS = 1000;

/** How often what happens to honest slabs, of their sales unless stated. */
const HONEST = {
  /** Slabs that are sold again, each time. */
  resold: 0.4,
  /** Sold on within a week of arriving. */
  flipped: 0.05,
  /** Never paid, and sold again at the same venue or another; the ledger has the first one's void for `voided` of them. */
  unpaid: 0.02,
  /** Sent back, and sold again. */
  returned: 0.015,
  voided: 0.7,
  /** Posted at two venues; the other one is delisted in time but for `soldTwice` of them, which one venue cancels. */
  crossPosted: 0.05,
  soldTwice: 0.01,
  /** The ledger has the cancellation. */
  cancelled: 0.95,
  /** A sale that a second source repeats, at the same price or with a premium or another rate. */
  repeated: 0.15,
  otherPrice: 0.1,
  /** The operator has not said that the one repeats the other. */
  undeclared: 0.002,
  /** A sale on the wrong card, in the wrong grade, or with a number mistyped as that of another slab. */
  wrongCard: 0.00001,
  wrongGrade: 0.00001,
  mistyped: 0.000002,
  /** Of slabs: the grader corrected the card or the grade, and the register had the old one for half of them. */
  corrected: 0.00005,
  /** Of slabs: deactivated, and not sold since. */
  deactivated: 0.002,
};

/** Venues, their share, and whether they state the time; a vault hands a slab on without moving it. */
const VENUES = [
  { id: 'ebay', share: 0.6, timed: true },
  { id: 'fanatics', share: 0.15, timed: false },
  { id: 'goldin', share: 0.08, timed: false },
  { id: 'myslabs', share: 0.07, timed: true },
  { id: 'vault', share: 0.1, timed: true, vault: true },
] as const;
const REPEATS_EBAY = 'sold-lists';

export type Life = {
  sales: (SlabSale & { priceUsd: number })[];
  record: SlabRecord | null;
  /** How it was copied; null of an honest one. */
  copied: 'at_once' | 'campaign' | 'other_card' | 'after_void' | null;
  /** Why a record of it is wrong: the contradiction is real, and nothing is wrong with the slab. Null where none is. */
  misrecorded: Misrecord | null;
};

export type Misrecord =
  | 'wrong_card'
  | 'wrong_grade'
  | 'mistyped'
  | 'repeat_undeclared'
  | 'cancelled_elsewhere'
  | 'label_corrected';

/** `slabs` lives, of which `copied` slabs have a copy. Equal for an equal seed. */
export function livesOf(seed: string, slabs: number, copied: number): Life[] {
  const random = uniformOf(seed);
  const between = (low: number, high: number) => low + (high - low) * random();
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const logNormal = (median: number, sigma: number) => median * Math.exp(sigma * normal());
  const happens = (share: number) => random() < share;
  const venue = (): (typeof VENUES)[number] => {
    const at = random();
    let sum = 0;
    for (const one of VENUES) {
      sum += one.share;
      if (at < sum) return one;
    }
    return VENUES[0];
  };

  function sale(atMs: number, place: { id: string; timed: boolean }, more: Partial<Life['sales'][number]>) {
    const soldAtMs = place.timed ? atMs : Math.floor(atMs / MS_PER_DAY) * MS_PER_DAY;
    const { card = { key: '1', name: 'Card' }, gradeKey = 'psa-10', priceUsd = 100, aggregates = [] } = more;
    const where = { source: place.id, sourceName: place.id, aggregates, isToken: place.id === 'vault' };
    return { soldAtMs, ...where, card, gradeKey, gradeLabel: gradeKey!, priceUsd };
  }

  /** The time that a slab takes from one sale to the next: it travels, is listed, and finds a buyer. */
  const resaleMs = () => MS_PER_DAY * (happens(HONEST.flipped) ? between(3.2, 8) : 3.5 + logNormal(80, 1.1));

  function honest(): Life {
    const sales: Life['sales'] = [];
    const card = { key: String(Math.floor(random() * 20_000)), name: 'Card' };
    const gradeKey = happens(0.7) ? 'psa-10' : 'psa-9';
    let priceUsd = logNormal(80, 1);
    let atMs = START_MS + between(0, DAYS) * MS_PER_DAY;
    let place = venue();
    let misrecorded: Misrecord | null = null;
    const errs = (share: number, how: Misrecord) => {
      const isWrong = happens(share);
      if (isWrong) misrecorded = how;
      return isWrong;
    };
    const put = (when: number, where: { id: string; timed: boolean }, price: number) => {
      const as = {
        card: errs(HONEST.wrongCard, 'wrong_card') ? { key: 'wrong', name: 'Other' } : card,
        priceUsd: price,
      };
      const grade = errs(HONEST.wrongGrade, 'wrong_grade') ? 'psa-8' : gradeKey;
      sales.push(sale(when, where, { ...as, gradeKey: grade }));
      if (where.id !== 'ebay' || !happens(HONEST.repeated)) return;
      const same = !happens(HONEST.otherPrice);
      const aggregates = errs(HONEST.undeclared, 'repeat_undeclared') ? [] : ['ebay'];
      const second = { id: REPEATS_EBAY, timed: false };
      sales.push(
        sale(when + between(-6, 18) * HOUR_MS, second, {
          card,
          gradeKey,
          priceUsd: same ? price : price * between(1.02, 1.2),
          aggregates,
        }),
      );
    };
    do {
      const failed = happens(HONEST.unpaid) ? between(3, 10) : happens(HONEST.returned) ? between(7, 25) : null;
      if (failed !== null) {
        if (!happens(HONEST.voided)) put(atMs, place, priceUsd);
        atMs += failed * MS_PER_DAY;
        if (happens(0.2)) place = venue();
      }
      put(atMs, place, priceUsd);
      if (errs(HONEST.crossPosted * HONEST.soldTwice * (1 - HONEST.cancelled), 'cancelled_elsewhere'))
        put(atMs + between(0, 12) * HOUR_MS, venue(), priceUsd * between(0.9, 1.1));
      const isVaulted = 'vault' in place && happens(0.5);
      atMs += isVaulted ? between(0.01, 30) * MS_PER_DAY : resaleMs();
      if (!isVaulted) place = venue();
      priceUsd *= Math.exp(0.15 * normal());
    } while (happens(HONEST.resold));
    if (errs(HONEST.mistyped, 'mistyped'))
      sales.push(sale(START_MS + between(0, DAYS) * MS_PER_DAY, venue(), { card: { key: 'typed', name: 'Other' } }));
    const record: SlabRecord = { card, gradeKey, gradeLabel: gradeKey, voidedAtMs: null, earlier: [] };
    if (happens(HONEST.deactivated)) record.voidedAtMs = atMs;
    if (errs(HONEST.corrected, 'label_corrected')) {
      const untilMs = atMs;
      const right = { key: 'right', name: 'Card' };
      const earlier = happens(0.5) ? [{ untilMs, card, gradeKey }] : [];
      return { sales, record: { ...record, card: right, earlier }, copied: null, misrecorded };
    }
    return { sales, record: happens(0.5) ? record : null, copied: null, misrecorded };
  }

  /** A slab whose number is on other plastic too. */
  function copy(way: NonNullable<Life['copied']>): Life {
    const life = honest();
    const [first] = life.sales;
    const { card, gradeKey, soldAtMs, priceUsd } = first!;
    const price = () => priceUsd * Math.exp(0.15 * normal());
    const add = (atMs: number, more: Partial<SlabSale> = {}) =>
      life.sales.push(sale(atMs, venue(), { card, gradeKey, ...more, priceUsd: price() }));
    if (way === 'at_once') {
      // The real one and the copy are sold within hours, at two venues.
      const other = VENUES.filter(({ id }) => id !== first!.source)[Math.floor(random() * 4)]!;
      life.sales.push(sale(soldAtMs + between(0, 24) * HOUR_MS, other, { card, gradeKey, priceUsd: price() }));
    } else if (way === 'campaign') {
      // Several copies are sold over days at several venues, wherever the real one is.
      const copies = 3 + Math.floor(-3 * Math.log(1 - random()));
      const days = logNormal(10, 0.7);
      const from = START_MS + between(0, DAYS) * MS_PER_DAY;
      for (let n = 0; n < copies; n++) add(from + between(0, days) * MS_PER_DAY);
    } else if (way === 'other_card') {
      const isOtherCard = happens(0.7);
      const as = isOtherCard
        ? { card: { key: 'copied', name: 'Other' } }
        : { gradeKey: gradeKey === 'psa-10' ? 'psa-9' : 'psa-10' };
      add(soldAtMs + between(-200, 200) * MS_PER_DAY, as);
    } else {
      const record = life.record ?? { card, gradeKey, gradeLabel: gradeKey, voidedAtMs: null, earlier: [] };
      life.record = { ...record, voidedAtMs: soldAtMs + between(1, 60) * MS_PER_DAY };
      add(life.record.voidedAtMs! + logNormal(60, 1) * MS_PER_DAY);
    }
    return { ...life, copied: way };
  }

  const ways = ['at_once', 'campaign', 'other_card', 'after_void'] as const;
  return Array.from({ length: slabs }, (_, at) => {
    const life = at < copied ? copy(ways[at % ways.length]!) : honest();
    return { ...life, sales: withoutRepeats(life.sales) };
  });
}

/** As the ledger's rule for one sale of two sources leaves them: within 3 days and 1%. */
function withoutRepeats(sales: Life['sales']): Life['sales'] {
  return sales.filter(
    (one, at) =>
      !sales.some(
        (other, before) =>
          before < at &&
          other.source !== one.source &&
          Math.abs(other.soldAtMs - one.soldAtMs) <= 3 * MS_PER_DAY &&
          Math.abs(other.priceUsd - one.priceUsd) <= 0.01 * Math.max(other.priceUsd, one.priceUsd),
      ),
  );
}
