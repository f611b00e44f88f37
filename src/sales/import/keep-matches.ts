import type { Session } from '../../db/client.ts';
import { isLive } from '../undoing/live-sale.ts';
import { insertVoids, type WriteContext } from '../voids.ts';
import { COLUMNS } from './revise-sales.ts';

const SAME_SALE = 'x.source = c.source and x.source_sale_id = c.source_sale_id';

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
export async function keepMatches(session: Session, { importId, today }: WriteContext, firstId: number): Promise<void> {
  const written = await session.query<{ id: number }>(
    `with corrected as (
       select distinct on (source, source_sale_id) * from sales where id >= $1 order by source, source_sale_id, revision desc
     )
     insert into sales (${COLUMNS}, revision, import_id)
     select ${COLUMNS.split(',')
       .map((column) => MATCHED[column.trim()] ?? `c.${column.trim()}`)
       .join(', ')},
       c.revision + row_number() over (partition by c.source, c.source_sale_id order by m.decision_id), $2
     from corrected c cross join lateral (
       select distinct on (x.decision_id) x.decision_id, x.item_id, x.company, x.grade, x.grade_key,
         d.facts ->> 'gradeKey' is not null as has_grade
       from sales x join decisions d on d.id = x.decision_id
       where ${SAME_SALE} and x.id < $1 and d.kind = 'match_sale' and d.id is distinct from c.decision_id and ${isLive('x')}
       order by x.decision_id, x.revision desc
     ) m
     where (select exists (select from decisions))
     order by c.id, m.decision_id returning id`,
    [firstId, importId],
  );
  if (written.length === 0) return;
  await session.query(
    insertVoids(
      `select old.id as sale_id, 'corrected' as reason, new.id as superseded_by, null::timestamptz as stated_at
       from sales new join sales old
         on old.source = new.source and old.source_sale_id = new.source_sale_id and old.revision = new.revision - 1
       where new.id >= $3`,
    ),
    [importId, today, written[0]!.id],
  );
}
