import { type Static, type TObject, Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import { readDay } from '../http/parameters.ts';
import { notFound } from '../http/problem.ts';
import { itemMap, numbersOf } from '../items/item-row.ts';
import { cardNumbers, nullable } from '../items/shapes.ts';
import type { TableRow } from '../lib/csv.ts';
import { formatDay } from '../lib/day.ts';
import type { PricedDb } from '../pricing/read/quotes.ts';
import { basketAfter, publishedLevels } from './close/store.ts';
import { closedBasket, type IndexRow } from './rows.ts';
import { calendarDay } from './shapes.ts';

/**
 * Open data: everything a level was computed from, as tables, so that a reader can compute it again by
 * docs/methodology/index.md. Doubles are exact: in the shortest form that reads back as the same one.
 */
export type OpenDataTable = {
  /** Last segment of its path without the ending; the name of its rows in JSON. */
  name: string;
  summary: string;
  query?: TObject;
  columns: TObject;
  rows(sql: PricedDb, index: IndexRow, query: { date?: string }): Promise<TableRow[]>;
};

const level = Type.Number({ description: 'Unrounded.' });
const divisor = Type.Number({ description: 'Level = exp(sum of weight × ln price) / divisor.' });
const methodologyVersion = Type.String();
const series = {
  itemId: Type.String({ format: 'uuid' }),
  gradeKey: Type.String({ description: 'As in addresses: `psa-10`.' }),
  name: Type.String(),
  setName: Type.String(),
  ...cardNumbers,
  language: Type.String(),
  variation: nullable(Type.String()),
  grade: Type.String({ description: '`PSA 10`.' }),
};
const SERIES_COLUMNS = `m.item_id as "itemId", m.grade_key as "gradeKey", i.name, s.name as "setName",
  s.code as set_code, i.number, i.language, i.variation`;
const FROM_MEMBERS = 'from index_members m join items i on i.id = m.item_id join sets s on s.id = i.set_id';

const levelColumns = Type.Object({
  day: calendarDay,
  level,
  divisor,
  turnoverUsdCents: Type.Integer({ description: 'What the basket’s series sold for; may be restated for 7 days.' }),
  saleCount: Type.Integer(),
  methodologyVersion,
  firstLevel: nullable(Type.Number({ description: 'What was published first, where it was corrected.' })),
  correction: nullable(Type.String({ description: 'Why it was corrected.' })),
});

/** Every day's level. */
export const levels: OpenDataTable = {
  name: 'levels',
  summary: 'Every level of an index with its divisor, turnover and corrections',
  columns: levelColumns,
  async rows(sql, { slug }) {
    const rows = await sql.query<Static<typeof levelColumns> & { day: number }>(
      `select l.day, l.level, l.divisor, coalesce(d.turnover_usd_cents, 0) as "turnoverUsdCents",
         coalesce(d.sale_count, 0) as "saleCount", l.methodology_version as "methodologyVersion",
         c.first_level as "firstLevel", c.reason as correction
       from index_levels l left join index_days d using (slug, day) left join (
         select day, (array_agg(old_level order by corrected_at))[1] as first_level,
           string_agg(reason, '; ' order by corrected_at) as reason
         from index_corrections where slug = $1 group by day
       ) c using (day)
       where l.slug = $1 order by l.day`,
      [slug],
    );
    return rows.map((row) => ({ ...row, day: formatDay(row.day) }));
  },
};

const basketColumns = Type.Object({
  rotation: calendarDay,
  level,
  divisorBefore: nullable(Type.Number({ description: 'Null on the base date.' })),
  divisorAfter: divisor,
  methodologyVersion,
  rank: Type.Integer({ description: 'Among the eligible series, by counted turnover of 90 days.' }),
  ...series,
  weight: Type.Number(),
  priceUsd: Type.Number({ description: 'Dollars at the close of the rotation, unrounded.' }),
  turnover90UsdCents: Type.Integer(),
  removed: nullable(
    Type.String({
      format: 'date',
      description: 'The first day without it: all its sales were voided, or the catalog withdrew the card.',
    }),
  ),
});

/** Every basket. */
export const baskets: OpenDataTable = {
  name: 'baskets',
  summary: 'Every basket of an index with weights, divisors and unrounded prices',
  columns: basketColumns,
  async rows(sql, { slug }) {
    type Row = Omit<Static<typeof basketColumns>, 'rotation' | 'removed' | 'cardNumber' | 'printedNumber'> & {
      set_code: string | null;
      number: string | null;
      rotation: number;
      removed: number | null;
    };
    const rows = await sql.query<Row>(
      `select m.rotation_day as rotation, o.level, o.divisor_before as "divisorBefore", o.divisor_after as "divisorAfter",
         o.methodology_version as "methodologyVersion", m.rank, ${SERIES_COLUMNS}, m.weight, m.price_usd as "priceUsd",
         m.turnover90_usd_cents as "turnover90UsdCents", r.day as removed
       ${FROM_MEMBERS} join index_rotations o on (o.slug, o.day) = (m.slug, m.rotation_day)
       left join index_removals r on (r.slug, r.rotation_day, r.item_id) = (m.slug, m.rotation_day, m.item_id)
       where m.slug = $1 order by m.rotation_day, m.rank`,
      [slug],
    );
    return rows.map(({ set_code, number, ...row }) => ({
      ...row,
      ...numbersOf({ set_code, number }),
      rotation: formatDay(row.rotation),
      grade: gradeByKey(row.gradeKey)!.label,
      removed: row.removed === null ? null : formatDay(row.removed),
    }));
  },
};

const priceColumns = Type.Object({
  day: calendarDay,
  level,
  divisor,
  ...series,
  weight: Type.Number(),
  priceUsd: Type.Number({ description: 'Dollars that the index took at the close of the day, unrounded.' }),
  state: Type.Enum(['moved', 'held', 'carried'], {
    description: '`moved`: the reference price; `held`: it jumped without witnesses; `carried`: there was none.',
  }),
});

/** What a level was computed from. On a rotation day that is the basket before it, but for the base date. */
export const prices: OpenDataTable = {
  name: 'prices',
  summary: 'The prices that an index took at the close of a day, with weights, divisor and level',
  query: Type.Object({
    date: Type.Optional(Type.String({ maxLength: 400, description: '`YYYY-MM-DD`; by default the last closed day.' })),
  }),
  columns: priceColumns,
  async rows(sql, index, { date }) {
    const day = pricedDay(index, date);
    if (day === null) return [];
    const { slug, baseDay } = index;
    const basket = await basketAfter(sql, slug, day === baseDay ? day : day - 1);
    const [{ members }, [published]] = await Promise.all([
      closedBasket(sql, basket!, day),
      publishedLevels(sql, slug, day, day),
    ]);
    const { level, divisor } = published!;
    const itemById = await itemMap(
      sql,
      members.map(({ itemId }) => itemId),
    );
    return members.map(({ itemId, gradeKey, weight, priceUsd, state }) => {
      const item = itemById.get(itemId)!;
      const { name, set_name: setName, language, variation } = item;
      const card = { itemId, gradeKey, name, setName, ...numbersOf(item), language, variation };
      const grade = gradeByKey(gradeKey)!.label;
      return { day: formatDay(day), level, divisor, ...card, grade, weight, priceUsd, state };
    });
  },
};

/** The requested day, or the last one; null for that of an index that is computing. Throws the 400 and 404 problems. */
function pricedDay({ label, baseDay, lastDay }: IndexRow, date: string | undefined): number | null {
  if (date === undefined) return lastDay;
  const day = readDay('date', date);
  if (baseDay === null || lastDay === null) throw notFound(`The ${label} index has no level yet.`);
  if (day < baseDay || day > lastDay)
    throw notFound(`The ${label} index has levels from ${formatDay(baseDay)} through ${formatDay(lastDay)}.`);
  return day;
}
