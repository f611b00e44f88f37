import type { Sql } from '../../db/client.ts';
import { dayStartMs } from '../../lib/day.ts';
import type { PriceModel } from '../model/model.ts';
import type { Snapshot } from '../model/quote.ts';
import { OBSERVATION_DAYS, SOURCES } from '../model/recent.ts';
import { type ItemRows, type LastClose, type OwnSales, reachOf, snapshotsOf } from './item-rows.ts';
import { ACCEPTED, DUE_DAY } from './ledger-sales.ts';
import { decodeSnapshots, rowsUntil, snapshotDays } from './snapshot-bytes.ts';

type GradeSales = {
  gradeKey: string;
  sales: number;
  lastSoldAtMs: number;
  recent: [soldDay: number, source: string][];
};
type Row = {
  itemId: string;
  game: string;
  setId: number;
  snapshots: Buffer | null;
  sales: GradeSales[];
  certified: string[];
};

// What closes through $2 had taken in, of each grade. A sale is taken in on the day it was sold or later: those of the last year
// contain all that were sold within it.
const SALES = `
  select coalesce(json_agg(g), '[]') from (
    select t.grade_key as "gradeKey", count(*)::int as sales,
      max((date_part('epoch', t.sold_at) * 1000)::int8) as "lastSoldAtMs",
      coalesce(json_agg(json_build_array(t.sold_day, t.source) order by t.taken, t.sold_day, t.price_usd_cents,
        t.sale_type collate "C", t.id) filter (where t.taken > $2 - ${OBSERVATION_DAYS}), '[]') as recent
    from (
      select s.*, coalesce(u.closed_day, ${DUE_DAY}) as taken from sales s left join sale_uses u on u.sale_id = s.id
      where s.item_id = i.id and ${ACCEPTED} and s.id <= (select seen_sale_id from model_state)
        and coalesce(u.voided_day > $2, true)
    ) t where t.taken <= $2 group by t.grade_key
  ) g`;

// A cert that a grader has voided since was one of its grade then: what was published of it stays.
const CERTIFIED = `
  select distinct c.grade_key from certs c where c.item_id = i.id and c.grade_key is not null and coalesce((
    select x.old from cert_changes x where x.company = c.company and x.cert_key = c.cert_key and x.field = 'state'
      and x.at >= to_timestamp(($2::int + 1) * 86400.0) order by x.id limit 1), c.state) = 'active'`;

const ROWS_AS_OF = `
select i.id as "itemId", i.game, i.set_id as "setId",
  ${snapshotsOf('i.id', '$2::int')} as snapshots,
  (${SALES}) as sales,
  array(${CERTIFIED}) as certified
from items i cross join lateral (${reachOf('$2::int', '$3::int')}) reach where i.id = any($1)`;

/** Rows of the items that exist as the close of `day` left them; `fromDay` as of `itemRows`. `model` knows the grades. */
export async function itemRowsAsOf(
  sql: Sql,
  itemIds: readonly string[],
  fromDay: number | null,
  day: number,
  { gradeKeys }: PriceModel,
): Promise<ItemRows[]> {
  const rows = await sql.prepared<Row>('pricing_rows_as_of', ROWS_AS_OF, [itemIds, day, fromDay]);
  return rows.map(({ snapshots: stored, sales, ...row }) => {
    const snapshotBytes = rowsUntil(stored ?? Buffer.alloc(0), day);
    const last = [...snapshotDays(snapshotBytes)].at(-1);
    const grades = (last?.grades ?? []).map(([grade, snapshot]) => ownSales(grade, snapshot, sales, gradeKeys[grade]!));
    const card = grades.length === 0 ? null : { grades };
    // What a close published stays as it was.
    const none = { state: null, pending: [], withheld: [] };
    return { ...row, ...none, card, snapshots: decodeSnapshots(snapshotBytes), snapshotBytes };
  });
}

function ownSales(grade: number, snapshot: Snapshot, sales: readonly GradeSales[], gradeKey: string): OwnSales {
  const { lastDay, before } = snapshot;
  const own = sales.find((one) => one.gradeKey === gradeKey)!;
  const sources = [...new Set(own.recent.map(([, source]) => source))];
  const recent = own.recent.map(([soldDay, source]) => soldDay * SOURCES + sources.indexOf(source));
  return { grade, sales: own.sales, lastDay, lastSoldAtMs: own.lastSoldAtMs, recent, before };
}

/** When the close of a day ran: as its record has it, null without one; `atMs` is then the end of the day. */
export async function closeMomentOf(sql: Sql, day: number): Promise<Pick<LastClose, 'atMs' | 'recordedAtMs'>> {
  const [row] = await sql.prepared<{ atMs: number }>(
    'pricing_closed_at',
    `select floor(date_part('epoch', closed_at) * 1000)::int8 as "atMs" from record_days where day = $1`,
    [day],
  );
  return { atMs: row?.atMs ?? dayStartMs(day + 1), recordedAtMs: row?.atMs ?? null };
}
