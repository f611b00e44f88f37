/**
 * That a sale `s` is not voided; or, where the parameter `day` is not null, that closes through that day had taken it in and
 * none had taken it out.
 */
export function knownSale(day: string): string {
  return `case when ${day}::int is null then not exists (select from sale_voids v where v.sale_id = s.id)
    else exists (
      select from (select) one left join sale_uses u on u.sale_id = s.id
      where coalesce(u.closed_day, greatest(s.known_day, s.sold_day)) <= ${day}::int and coalesce(u.voided_day > ${day}::int, true)
        and s.id <= (select seen_sale_id from model_state)) end`;
}
