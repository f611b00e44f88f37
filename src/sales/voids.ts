import { isLocked } from '../db/locks.ts';

/** What a write has to know of its import. */
export type WriteContext = {
  importId: number;
  /** UTC day number of the import. */
  today: number;
};

/**
 * SQL that writes voids. `rows` selects `sale_id, reason, superseded_by, stated_at` (when the file says that it was taken
 * back, or null). `$1` is the import, `$2` its day; `decisionId` is the decision of a person.
 *
 * A void of a sale that no published close has used is known with the sale itself, so that the sale never counts, in
 * whatever order a backfill brings the two, nor on days that are computed again. Otherwise it is known from the day of the import
 * on, or the first open day after it: published days stay. A sale that another one replaces leaves at the close that has that
 * one. Of a close that runs it is not known yet which sales it uses, nor through which day.
 */
export function insertVoids(rows: string, decisionId: number | null = null): string {
  return `
    insert into sale_voids (sale_id, reason, superseded_by, known_at, known_day, import_id, decision_id)
    select sale_id, reason, superseded_by, known_at, greatest(open_day, coalesce(replaced_on, floor(extract(epoch from known_at) / 86400)::int)), $1::int,
      ${decisionId}::bigint
    from (
      select v.sale_id, v.reason, v.superseded_by, open_day,
        greatest(v.stated_at, s.known_at, case when open_day is not null then to_timestamp($2::int * 86400.0) end) as known_at,
        case when open_day is not null and not ${isLocked('reprice')} then greatest(n.known_day, n.sold_day) end as replaced_on
      from (${rows}) v join sales s on s.id = v.sale_id join items i on i.id = s.item_id
        left join sales n on n.id = v.superseded_by
        left join lateral (
          select closed_day + 1 as open_day from model_state
          where exists (select 1 from market_days m where m.game = i.game and m.day >= s.known_day)
            and (s.id <= seen_sale_id or ${isLocked('reprice')})
        ) used on true
    ) dated
    on conflict (sale_id) do nothing`;
}
