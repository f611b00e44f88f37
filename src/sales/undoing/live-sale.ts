/** SQL: a row of `imports` that was undone. */
const UNDONE = 'i.undone_by is not null';

/**
 * SQL: the sale `s` (a row of `sales`) is still stated: neither the import that reported it was undone, nor the decision that
 * put it on its card taken back.
 */
export function isLive(s: string): string {
  return `not exists (select from imports i where i.id in (${s}.import_id, ${s}.origin_import_id) and ${UNDONE})
    and not exists (select from decisions d where d.id = ${s}.decision_id and d.taken_back_at is not null)`;
}

/** SQL: the void `v` (a row of `sale_voids`) is still stated. A person's drop does not end with the import of its sale. */
export function isLiveVoid(v: string): string {
  return `(${v}.reason = 'dropped' or not exists (select from imports i where i.id = ${v}.import_id and ${UNDONE}))
    and not exists (select from decisions d where d.id = ${v}.decision_id and d.taken_back_at is not null)`;
}

const BY_SOURCE = `'voided', 'unpaid', 'relisted'`;

/** SQL: why a sale may be canceled, by a source or by a person. Such a sale is not sold again by an import. */
export const CANCELLED = `(${BY_SOURCE}, 'dropped')`;

/**
 * SQL: the source of the sale named by `source` and `saleId` (SQL), which waits, took it back while it was in the ledger: a
 * decision had put it there.
 */
export function isTakenBack(source: string, saleId: string): string {
  return `((select exists (select from decisions)) and exists (select from sales x left join sale_voids v on v.sale_id = x.id
    where x.source = ${source} and x.source_sale_id = ${saleId} and (v.reason in (${BY_SOURCE}) and ${isLiveVoid('v')}
      or x.rejection in (${BY_SOURCE}) and not exists (select from imports i where i.id = x.import_id and ${UNDONE}))))`;
}
