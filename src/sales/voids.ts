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
 * on: published days stay. Of a close that runs it is not known yet which sales it uses.
 */
export function insertVoids(rows: string, decisionId: number | null = null): string {
  return `
    insert into sale_voids (sale_id, reason, superseded_by, known_at, known_day, import_id, decision_id)
    select sale_id, reason, superseded_by, known_at, floor(extract(epoch from known_at) / 86400)::int, $1::int,
      ${decisionId}::bigint
    from (
      select v.sale_id, v.reason, v.superseded_by,
        greatest(v.stated_at, s.known_at, case
          when exists (select 1 from market_days m where m.game = i.game and m.day >= s.known_day)
            and (s.id <= (select seen_sale_id from model_state) or ${isLocked('reprice')})
          then to_timestamp($2::int * 86400.0)
        end) as known_at
      from (${rows}) v join sales s on s.id = v.sale_id join items i on i.id = s.item_id
    ) dated
    on conflict (sale_id) do nothing`;
}
