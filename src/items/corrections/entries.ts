import type { Sql } from '../../db/client.ts';
import { ACCEPTED, DUE_DAY } from '../../pricing/store/ledger-sales.ts';
import type { ItemRow } from '../item-row.ts';

/** What a sale states; days are UTC day numbers, prices US cents. */
export type SaleFacts = {
  itemId: string;
  soldDay: number;
  usdCents: number | null;
  company: string;
  grade: string;
  gradeKey: string | null;
  rejection: string | null;
};

/** Why a published number would be another one today, with what its note is written from. */
export type CorrectionFacts =
  | { cause: 'sale_voided'; reason: string; sale: SaleFacts }
  /** `now`: as the source reports the sale since. `mapping`: it is a sale of another card. */
  | { cause: 'sale_corrected' | 'mapping'; sale: SaleFacts; now: SaleFacts }
  /** A sale that was out counts again. */
  | { cause: 'sale_corrected'; sale: SaleFacts; restored: true }
  | { cause: 'report'; note: string | null; cardHref: string | null }
  | { cause: 'model'; version: string; next: string };

/** Its place in the list: newest first, and of one moment by id. In microseconds, as the database keeps moments. */
export type Place = { atMicros: number; id: string };

export type CorrectionEntry = Place & {
  /** The series whose price changed; null where the facts name no sale. */
  itemId: string | null;
  gradeKey: string | null;
  /** First day that would differ today; null of a report. */
  fromDay: number | null;
  /** The close that is the first one to have it: the days before it stay as they were published. */
  effectDay: number;
  facts: CorrectionFacts;
};

const saleFacts = (alias: 's' | 'n') => `jsonb_build_object('itemId', ${alias}.item_id, 'soldDay', ${alias}.sold_day,
  'usdCents', ${alias}.price_usd_cents, 'company', ${alias}.company, 'grade', ${alias}.grade,
  'gradeKey', ${alias}.grade_key, 'rejection', ${alias}.rejection)`;

// A sale is undone with its import, or alone: a person had matched it.
const REASON = `case when v.reason = 'undone' and exists (
  select from decisions k where k.id = v.decision_id and k.kind = 'match_sale') then 'unmatched' else v.reason end`;

// A void is an entry when a close had taken its sale in before: nothing else was published. A sale that never came in is noted
// as taken in and voided on one day. Until the next close a void takes effect at the first day that is still open. `n` is the
// sale as that close has it: a file may correct one several times, and back. `e`: the series that lost the sale, and the one
// that it came to where that is another.
const entriesOf = (voidedSales: string) => `
  select 'sale-' || v.sale_id || e.suffix, v.known_at, e.item_id, e.grade_key, e.sold_day, d.effect, case
    when n.id is null then jsonb_build_object('cause', 'sale_voided', 'reason', ${REASON}, 'sale', ${saleFacts('s')})
    else jsonb_build_object('cause', case when n.item_id = s.item_id then 'sale_corrected' else 'mapping' end,
      'sale', ${saleFacts('s')}, 'now', ${saleFacts('n')}) end
  from ${voidedSales} left join sale_uses u on u.sale_id = s.id cross join model_state m
    cross join lateral (
      select coalesce(u.closed_day, ${DUE_DAY}) as taken,
        coalesce(u.voided_day, greatest(v.known_day, m.closed_day + 1)) as effect
    ) d
    left join lateral (
      select x.* from sales x
      where v.reason = 'corrected' and x.source = s.source and x.source_sale_id = s.source_sale_id and x.revision > s.revision
        and not exists (select from sale_voids w where w.sale_id = x.id and w.known_day <= d.effect)
      order by x.revision limit 1
    ) n on true
    cross join lateral (
      select '' as suffix, s.item_id, s.grade_key, s.sold_day
      union all
      select '-to', n.item_id, n.grade_key, n.sold_day
      where (n.item_id, n.grade_key) is distinct from (s.item_id, s.grade_key) and n.rejection is null
        and n.grade_key is not null and n.price_usd_cents is not null and n.sold_day < d.effect
    ) e
  where ${ACCEPTED} and s.id <= m.seen_sale_id and ${DUE_DAY} <= m.closed_day and d.taken < d.effect
    and (n.item_id, n.grade_key, n.sold_at, n.price_usd_cents, n.rejection)
      is distinct from (s.item_id, s.grade_key, s.sold_at, s.price_usd_cents, s.rejection)`;

// By the index on time, a sale at a time: a plan that joins all voids to all sales reads the whole ledger for a page.
const ALL_SALES = entriesOf(
  'sale_voids v cross join lateral (select * from sales where sales.id = v.sale_id offset 0) s',
);
const SALES_OF_ITEM = entriesOf('sales s join sale_voids v on v.sale_id = s.id');

// A sale that a close had taken out is an entry when it is brought back: what took it out was undone.
const RESTORED = `
  select 'restored-' || s.id, s.restored_at, s.item_id, s.grade_key, s.sold_day,
    coalesce(u.closed_day, greatest(${DUE_DAY}, m.closed_day + 1)),
    jsonb_build_object('cause', 'sale_corrected', 'restored', true, 'sale', ${saleFacts('s')})
  from sales s cross join model_state m left join sale_uses u on u.sale_id = s.id
    join sales p on p.source = s.source and p.source_sale_id = s.source_sale_id and p.revision = s.revision - 1
    join sale_voids v on v.sale_id = p.id and v.reason <> 'corrected'
    left join sale_uses pu on pu.sale_id = p.id
  where ${ACCEPTED} and s.restores is not null and p.rejection is null and p.id <= m.seen_sale_id
    and coalesce(pu.closed_day, greatest(p.known_day, p.sold_day)) < coalesce(pu.voided_day, greatest(v.known_day, m.closed_day + 1))
    and greatest(p.known_day, p.sold_day) <= m.closed_day`;

/** A broken link is not a number. */
const REPORTS = `
  select 'report-' || r.id, r.decided_at, null::uuid, null, null::int,
    floor(extract(epoch from r.decided_at) / 86400)::int,
    jsonb_build_object('cause', 'report', 'note', r.correction, 'cardHref', r.fields->>'cardHref')
  from submissions r
  where r.kind = 'report' and r.state = 'accepted' and r.fields->>'category' is distinct from 'broken_link'`;

/** One for the installation: every price of the days that an earlier version of the model, or an earlier run of it, published. */
const VERSIONS = `
  select 'model-' || p.version || case when p.run > 1 then '-' || p.run else '' end,
    to_timestamp((p.until_day + 1) * 86400.0), null::uuid, null,
    coalesce(p.from_day, (select min(day) from market_days)), p.until_day + 1,
    jsonb_build_object('cause', 'model', 'version', p.version, 'next',
      coalesce(lead(p.version) over (order by p.until_day, p.version::int, p.run), m.version))
  from price_versions p cross join model_state m`;

/** Up to `limit` entries of all cards, or of one, that follow `after`, newest first. */
export async function correctionEntries(
  sql: Sql,
  { item, after, limit }: { item: ItemRow | null; after: Place | null; limit: number },
): Promise<CorrectionEntry[]> {
  if (item !== null && !(await mayHaveEntries(sql, item))) return [];
  const values: unknown[] = [limit];
  const bound = (value: unknown) => `$${values.push(value)}`;
  const parts = item === null ? [ALL_SALES, RESTORED, REPORTS, VERSIONS] : partsOf(item, bound);
  const follows = after === null ? '' : followsSql(after, bound);
  const order = 'order by at desc, id collate "C" desc limit $1';
  const names = '(id, at, item_id, grade_key, from_day, effect, facts)';
  const newest = parts.map((part) => `(select * from (${part}) as part ${names} ${follows} ${order})`);
  const name = `corrections_of_${item === null ? 'all' : 'item'}${after === null ? '' : '_after'}`;
  return await sql.prepared<CorrectionEntry>(
    name,
    `select id, (extract(epoch from at) * 1000000)::int8 as "atMicros", item_id as "itemId", grade_key as "gradeKey",
       from_day as "fromDay", effect as "effectDay", facts
     from (${newest.join(' union all ')}) entries ${order}`,
    values,
  );
}

/**
 * Whether a card has what an entry begins with. Most have not, and the plan of the entries takes ten times as long to begin as this
 * takes to run.
 */
async function mayHaveEntries(sql: Sql, item: ItemRow): Promise<boolean> {
  const [row] = await sql.prepared<{ may: boolean }>(
    'card_may_have_corrections',
    `select exists (select from sales s where s.item_id = $1
         and (s.revision > 0 or exists (select from sale_voids v where v.sale_id = s.id)))
       or exists (${REPORTS} and ${namesCard('$2', '$3')}) as may`,
    [item.id, ...addressOf(item)],
  );
  return row!.may;
}

/** How the addresses of a card begin and end. */
function addressOf({ id8, game, set_segment }: ItemRow): [start: string, end: string] {
  return [`/card/${game}/${set_segment}/`, `-${id8}`];
}

/** Reports name a card by its address. */
const namesCard = (start: string, end: string) =>
  `starts_with(r.fields->>'cardHref', ${start}) and lower(right(r.fields->>'cardHref', 9)) = ${end}`;

function partsOf(item: ItemRow, bound: (value: unknown) => string): string[] {
  const itemId = bound(item.id);
  const [start, end] = addressOf(item).map(bound) as [string, string];
  return [
    `${SALES_OF_ITEM} and s.item_id = ${itemId} and e.suffix = ''`,
    `${SALES_OF_ITEM} and e.item_id = ${itemId} and e.suffix = '-to' and (s.source, s.source_sale_id) in (
       select x.source, x.source_sale_id from sales x where x.item_id = ${itemId} and x.revision > 0)`,
    `${RESTORED} and s.item_id = ${itemId}`,
    `${REPORTS} and ${namesCard(start, end)}`,
  ];
}

function followsSql({ atMicros, id }: Place, bound: (value: unknown) => string): string {
  const at = `timestamptz 'epoch' + ${bound(atMicros)}::int8 * interval '1 microsecond'`;
  return `where at <= ${at} and (at, id collate "C") < (${at}, ${bound(id)})`;
}
