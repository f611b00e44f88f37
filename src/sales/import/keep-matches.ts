import type { Session } from '../../db/client.ts';
import { sameSale } from '../revisions.ts';
import type { WriteContext } from '../voids.ts';
import { COLUMNS, insertCounted, voidCorrected } from './revise-sales.ts';

/** The columns of a correction on the card that a person chose, `m`, and in the grade, if that was chosen too. */
const MATCHED: Record<string, string> = {
  item_id: 'm.item_id',
  company: 'case when m.has_grade then m.company else c.company end',
  grade: 'case when m.has_grade then m.grade else c.grade end',
  grade_key: 'case when m.has_grade then m.grade_key else c.grade_key end',
  rejection: `case when m.has_grade and c.rejection in ('company_unsupported', 'grade_unsupported') then null else c.rejection end`,
  origin_import_id: 'coalesce(c.origin_import_id, c.import_id)',
  decision_id: 'm.decision_id',
};

/**
 * Puts corrections that an import has just written (ids from `firstId` on) back on the cards that people chose for their
 * sales: a file may change the price or the day of such a sale, not its card. Each decision in force is stated once more, as
 * a further revision in the order in which they were made, so that undoing the import or taking a decision back leaves what
 * the others state.
 */
export async function keepMatches(session: Session, context: WriteContext, firstId: number): Promise<void> {
  const written = await insertCounted(
    session,
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS.split(',')
       .map((column) => MATCHED[column.trim()] ?? `c.${column.trim()}`)
       .join(', ')},
       c.revision + row_number() over (partition by c.source, c.source_sale_id order by m.decision_id), $2
     from (
       select distinct on (r.source, r.source_sale_id) r.id, r.item_id from revisions r where r.id >= $1
       order by r.source, r.source_sale_id, r.revision desc
     ) corrected join sales c on c.id = corrected.id and c.item_id = corrected.item_id join (
       select distinct on (x.source, x.source_sale_id, x.decision_id) x.source, x.source_sale_id, x.decision_id, x.item_id,
         x.company, x.grade, x.grade_key, d.facts ->> 'gradeKey' is not null as has_grade
       from revisions x join decisions d on d.id = x.decision_id
       where x.id < $1 and d.kind = 'match_sale' and x.is_live
       order by x.source, x.source_sale_id, x.decision_id, x.revision desc
     ) m on ${sameSale('m', 'c')} and m.decision_id is distinct from c.decision_id
     order by c.id, m.decision_id`,
    [firstId, context.importId],
  );
  if (written.firstId !== null) await voidCorrected(session, context, written.firstId);
}
