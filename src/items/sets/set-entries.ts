import type { Language } from '../../catalog/languages.ts';
import type { PricedSql } from '../../pricing/read/published.ts';
import { type SeriesPrice, seriesPricesOf } from '../../pricing/read/quotes.ts';
import { type ItemRow, itemHref, itemMap } from '../item-row.ts';
import { type CardSummary, representative, summaryAt } from '../summary.ts';
import { LIST_GRADES, type RankedSetItem, type SetOverview, type SetRank } from './set-overview.ts';

export const SET_SORTS = ['price', 'number', 'name', 'move'] as const;
export type SetSort = (typeof SET_SORTS)[number];

/** Which entries of a set, and in which order. */
export type SetSelection = {
  setId: number;
  sort: SetSort;
  language: Language | null;
  rarity: string | null;
  /** Each must be in the number, name or variation; `#4` is the whole number. */
  words: readonly string[];
  pricedOnly: boolean;
  /** Every printing is an entry of its own. */
  isUnfolded: boolean;
};

/** A card of a set: the printing shown for it, and how many there are of it in the selection. */
export type SetEntry = {
  card: CardSummary;
  /** Its prices at `LIST_GRADES`; null where it has none. */
  prices: readonly ({ href: string; usdCents: number } | null)[];
  printings: number;
  languages: number;
  variations: number;
};

type Row = { total: number; id: string; printings: number; languages: number; variations: number };

/** The plain printing before variations, English before other languages. */
const PLAIN_FIRST = `i.variation is not null, i.language <> 'English', i.variation, i.language, i.id`;

/** `$2` has the rank of each priced item by id. */
const RANK = '($2::jsonb ->> i.id::text)::float8';

const ORDERS: Record<SetSort, string> = {
  price: 'page.rank desc nulls last, page.number_key, page.name',
  move: 'page.rank desc nulls last, page.number_key, page.name',
  number: 'page.number_key, page.name',
  name: 'lower(page.name) collate "C", page.number_key, page.name',
};

/**
 * `count` entries of a set from `offset` on, and how many there are. In the order of prices or moves the printing that ranks
 * highest is shown; else the plain one, or one that has a price. The order is that of the last close; each is shown as on its
 * own page.
 */
export async function entriesOfSet(
  db: PricedSql,
  selection: SetSelection,
  { ranked, cardCount, itemCount }: Pick<SetOverview, 'ranked' | 'cardCount' | 'itemCount'>,
  { offset, count }: { offset: number; count: number },
): Promise<{ entries: SetEntry[]; entryCount: number }> {
  const { setId, sort, isUnfolded } = selection;
  const isRanked = sort === 'price' || sort === 'move';
  const { conditions, values } = filtersOf(selection);
  const isWhole = conditions.length === 0;
  const where = ['i.set_id = $1 and i.removed_at is null', ...conditions].join(' and ');
  const rank: SetRank = sort === 'move' ? 'move' : 'price';
  // The highest entries of the whole set are read from the items that rank so high alone.
  const highest = isRanked && isWhole ? highestOf(ranked[rank], rank, isUnfolded, offset + count) : null;
  const ranks = (highest ?? ranked[rank]).map((one): [string, number] => [one.id, one[rank]]);
  // Unfolded, the key of an entry is its item.
  const key = isUnfolded ? ', i.variation, i.language, i.id' : '';
  const order = isUnfolded ? `${ORDERS[sort]}, ${PLAIN_FIRST.replaceAll('i.', 'page.')}` : ORDERS[sort];
  const rows = await db.query<Row>(
    `with page as (
       select *${isWhole ? '' : ', count(*) over () as total'} from (
         select i.number_key, i.name collate "C" as name${key}${isRanked ? `, max(${RANK}) as rank` : ''}
         from items i where ${where} ${highest === null ? '' : 'and i.id = any($6::uuid[])'} group by i.number_key, i.name collate "C"${key}) page
       order by ${order} limit $3 offset $4)
     select ${isWhole ? '$5::int as total' : 'page.total'}, shown.* from page cross join lateral (
       select (array_agg(i.id order by ${isRanked ? `${RANK} desc nulls last` : `${RANK} is null`}, ${PLAIN_FIRST}))[1] as id,
         count(*) as printings, count(distinct i.language) as languages,
         count(distinct coalesce(i.variation, '')) as variations
       from items i
       where ${where} and i.number_key = page.number_key and i.name collate "C" = page.name
         ${isUnfolded ? 'and i.id = page.id' : ''}) shown
     order by ${order}`,
    [
      setId,
      JSON.stringify(Object.fromEntries(ranks)),
      count,
      offset,
      ...(isWhole ? [isUnfolded ? itemCount : cardCount] : values),
      ...(highest === null ? [] : [highest.map(({ id }) => id)]),
    ],
  );
  const ids = rows.map(({ id }) => id);
  const [itemOf, prices] = await Promise.all([itemMap(db, ids), seriesPricesOf(db, ids)]);
  const entries = rows.flatMap(({ id, printings, languages, variations }) => {
    const item = itemOf.get(id);
    const ofItem = prices.get(id) ?? [];
    if (item === undefined || item.removed_at !== null) return [];
    const card = summaryAt(item, representative(ofItem), undefined);
    return [{ card, prices: pricesOf(item, ofItem), printings, languages, variations }];
  });
  return { entries, entryCount: rows[0]?.total ?? 0 };
}

/** The items of the first `entries` entries, with those that rank as high as the last; null where so many are not ranked. */
function highestOf(items: readonly RankedSetItem[], rank: SetRank, isUnfolded: boolean, entries: number) {
  const found = new Set<string>();
  const end = items.findIndex((one, at) => {
    if (found.size >= entries && one[rank] < items[at - 1]![rank]) return true;
    found.add(isUnfolded ? one.id : one.card);
    return false;
  });
  if (found.size < entries) return null;
  return end === -1 ? items : items.slice(0, end);
}

/** Conditions of a selection, with parameters from `$5` on. A condition that nobody asked for would cost every row. */
function filtersOf({ language, rarity, words, pricedOnly }: SetSelection): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const parameter = (value: unknown) => `$${values.push(value) + 4}`;
  const conditions = [
    language !== null && `i.language = ${parameter(language)}`,
    rarity !== null && `i.rarity = ${parameter(rarity)}`,
    words.length > 0 &&
      `lower(concat_ws(' ', '#' || i.number || ' ', i.name, i.printed_name, i.variation)) like all(${parameter(words.map(patternOf))}::text[])`,
    pricedOnly && '$2::jsonb ? i.id::text',
  ];
  return { conditions: conditions.filter((one) => one !== false), values };
}

function pricesOf(item: ItemRow, prices: readonly SeriesPrice[]): SetEntry['prices'] {
  return LIST_GRADES.map((gradeKey) => {
    const usdCents = prices.find((one) => one.gradeKey === gradeKey)?.priceUsdCents ?? null;
    return usdCents === null ? null : { href: itemHref(item, gradeKey), usdCents };
  });
}

/** A `like` pattern of one word of a filter, in lower case. */
function patternOf(word: string): string {
  const text = word.toLowerCase().replace(/[\\%_]/g, (sign) => `\\${sign}`);
  return word.startsWith('#') ? [text, '%'].join(' ') : `%${text}%`;
}
