import { LRUCache } from 'lru-cache';
import type { Language } from '../../catalog/languages.ts';
import { type KeptSql, keep } from '../../db/kept.ts';
import { inOrder, type Mover, type MoverSales, moverEvidence, moverOf } from '../../pricing/read/movers.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { closedDay, type SeriesQuote, seriesPricesOf } from '../../pricing/read/quotes.ts';
import { moveOver } from '../../pricing/read/series-quote.ts';
import { editionOf } from '../../pricing/store/past-versions.ts';
import { representative } from '../summary.ts';

/** The grades that a set's list has a column for. */
export const LIST_GRADES = ['raw-A', 'psa-9', 'psa-10'] as const;
export type ListGrade = (typeof LIST_GRADES)[number];

/** What one of each card costs at a grade: the number of cards that have a price there, and their sum. */
type SetWorth = { gradeKey: ListGrade; cards: number; usdCents: number };

/** Its price in cents, and the size of its move over seven days. */
export type SetRank = 'price' | 'move';
/** `card`: equal for the printings of one card. */
export type RankedSetItem = { id: string; card: string } & Record<SetRank, number>;

/** What a set's page needs of the whole set, from the last close. */
export type SetOverview = {
  languages: ReadonlyMap<Language, number>;
  rarities: ReadonlyMap<string, number>;
  itemCount: number;
  /** Cards by number and name: their printings count as one. */
  cardCount: number;
  /** Items whose picture pages may show. */
  picturedCount: number;
  pricedItemCount: number;
  pricedCardCount: number;
  /** Some price moved in seven days. */
  hasMoves: boolean;
  /** The priced items, those with the highest first. */
  ranked: Record<SetRank, readonly RankedSetItem[]>;
  worth: SetWorth[];
  /** Over `SET_MOVE_DAYS`, biggest first. */
  movers: readonly Mover[];
  lastSale: { itemId: string; gradeKey: string; soldAt: Date; usdCents: number } | null;
};

/** The window of a set's moves, and how many are shown. */
const SET_MOVE_DAYS = 30;
const SHOWN_MOVERS = 3;
const MAX_PRICED_ITEMS = 200_000;
/** Sales since it was made are in it at most this late; of a set with many cards that sold, it takes long to make. */
const KEPT_MS = { few: 60_000, many: 600_000 };
const FEW_SOLD = 500;

/** Overviews of sets that a server keeps, with the close and the number of items that they were made for. */
export type SetOverviews = LRUCache<number, { madeFor: string; size: number; overview: Promise<SetOverview> }>;

export function openSetOverviews(): SetOverviews {
  return new LRUCache({ maxSize: MAX_PRICED_ITEMS, sizeCalculation: ({ size }) => size, ttl: KEPT_MS.many });
}

type Deps = { db: PricedSql & KeptSql; setOverviews: SetOverviews };

/** The overview of a set; made once for a close, and again when the set has more or fewer items. */
export async function overviewOfSet(
  { db, setOverviews }: Deps,
  setId: number,
  imageHosts: readonly string[],
): Promise<SetOverview> {
  const read = () =>
    db.prepared<{ items: number; sold: number }>(
      'set_size',
      `select count(*) as items, count(c.item_id) as sold from items i left join card_states c on c.item_id = i.id
       where i.set_id = $1 and i.removed_at is null`,
      [setId],
    );
  const [row] = await keep(db, `size of set ${setId}`, read);
  const madeFor = `${await closedDay(db)} ${await editionOf(db)} ${row!.items} ${row!.sold}`;
  const known = setOverviews.get(setId);
  if (known?.madeFor === madeFor) return known.overview;
  const overview = makeOverview(db, setId, imageHosts);
  const ttl = row!.sold <= FEW_SOLD ? KEPT_MS.few : KEPT_MS.many;
  setOverviews.set(setId, { madeFor, size: row!.sold + 1, overview }, { ttl });
  overview.catch(() => setOverviews.delete(setId));
  return overview;
}

async function makeOverview(db: PricedSql, setId: number, imageHosts: readonly string[]): Promise<SetOverview> {
  const day = await closedDay(db);
  const [facets, [cards], sold, evidence] = await Promise.all([
    db.query<{ language: Language; rarity: string | null; items: number; pictured: number }>(
      `select language, rarity, count(*) as items, count(*) filter (
         where image_url like '/%' or split_part(image_url, '/', 3) = any($2)) as pictured
       from items where set_id = $1 and removed_at is null group by language, rarity order by rarity`,
      [setId, imageHosts],
    ),
    db.query<{ cards: number }>(
      'select count(distinct (number_key, name)) as cards from items where set_id = $1 and removed_at is null',
      [setId],
    ),
    db.query<SoldItem>(
      `select i.id, i.number_key || ' ' || i.name as card from items i join card_states c on c.item_id = i.id
       where i.set_id = $1 and i.removed_at is null
       order by i.variation is not null, i.language <> 'English', i.variation, i.language, i.id`,
      [setId],
    ),
    day === null ? new Map() : moverEvidence(db, day, SET_MOVE_DAYS, setId),
  ]);
  const prices = await pricesOf(db, sold, evidence);
  const lastSale = prices.lastSold === null ? null : await lastSaleOf(db, prices.lastSold);
  return {
    languages: sums(facets, ({ language }) => language),
    rarities: sums(facets, ({ rarity }) => rarity),
    itemCount: total(facets.map(({ items }) => items)),
    cardCount: cards!.cards,
    picturedCount: total(facets.map(({ pictured }) => pictured)),
    pricedItemCount: prices.items.length,
    pricedCardCount: prices.pricedCardCount,
    hasMoves: prices.items.some(({ move }) => move > 0),
    ranked: {
      price: prices.items.toSorted((a, b) => b.price - a.price),
      move: prices.items.toSorted((a, b) => b.move - a.move),
    },
    worth: prices.worth,
    movers: inOrder(prices.movers).slice(0, SHOWN_MOVERS),
    lastSale,
  };
}

type SoldItem = { id: string; card: string };
type LastSold = Pick<SeriesQuote, 'itemId' | 'gradeKey' | 'lastSaleAtMs'>;

/** Items priced at a time: others are served in between. */
const PRICED_AT_ONCE = 100;

/** Prices and moves of the items that ever sold. A card counts once for each grade, by its plainest printing that has a price there. */
async function pricesOf(db: PricedSql, sold: readonly SoldItem[], evidence: MoverSales) {
  const ranked: RankedSetItem[] = [];
  const movers: Mover[] = [];
  const counted = new Map<ListGrade, Set<string>>(LIST_GRADES.map((gradeKey) => [gradeKey, new Set()]));
  const worth = new Map<ListGrade, number>();
  const pricedCards = new Set<string>();
  let lastSold: LastSold | null = null;
  for (let i = 0; i < sold.length; i += PRICED_AT_ONCE) {
    const items = sold.slice(i, i + PRICED_AT_ONCE);
    const prices = await seriesPricesOf(
      db,
      items.map(({ id }) => id),
    );
    for (const { id, card } of items) {
      const ofItem = prices.get(id) ?? [];
      const shown = representative(ofItem);
      if (shown !== undefined && shown.priceUsdCents !== null) {
        const move = Math.abs(moveOver(shown.series, 7) ?? 0);
        ranked.push({ id, card, price: shown.priceUsdCents, move });
        pricedCards.add(card);
      }
      for (const { gradeKey, lastSaleAtMs, priceUsdCents, series } of ofItem) {
        const mover = moverOf(series, evidence, SET_MOVE_DAYS);
        if (mover !== null) movers.push(mover);
        if ((lastSaleAtMs ?? 0) > (lastSold?.lastSaleAtMs ?? 0)) lastSold = { itemId: id, gradeKey, lastSaleAtMs };
        const key = LIST_GRADES.find((one) => one === gradeKey);
        if (key === undefined || priceUsdCents === null || counted.get(key)!.has(card)) continue;
        counted.get(key)!.add(card);
        worth.set(key, (worth.get(key) ?? 0) + priceUsdCents);
      }
    }
  }
  const worthOf = (gradeKey: ListGrade): SetWorth => {
    return { gradeKey, cards: counted.get(gradeKey)!.size, usdCents: worth.get(gradeKey) ?? 0 };
  };
  const worths = LIST_GRADES.map(worthOf).filter(({ cards }) => cards > 0);
  return { items: ranked, movers, pricedCardCount: pricedCards.size, worth: worths, lastSold };
}

async function lastSaleOf(db: PricedSql, { itemId, gradeKey }: LastSold): Promise<SetOverview['lastSale']> {
  const [row] = await db.query<{ soldAt: Date; usdCents: number }>(
    `select sold_at as "soldAt", price_usd_cents as "usdCents" from sales s
     where item_id = $1 and grade_key = $2 and rejection is null
       and not exists (select from sale_voids v where v.sale_id = s.id)
     order by sold_at desc, id desc limit 1`,
    [itemId, gradeKey],
  );
  return row === undefined ? null : { itemId, gradeKey, ...row };
}

function sums<Row extends { items: number }, Key>(rows: readonly Row[], keyOf: (row: Row) => Key | null) {
  const byKey = new Map<Key, number>();
  for (const row of rows) {
    const key = keyOf(row);
    if (key !== null) byKey.set(key, (byKey.get(key) ?? 0) + row.items);
  }
  return byKey;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}
