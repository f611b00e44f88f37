import { companyOf, type GradeRow, gradeByKey } from '../../catalog/grades.ts';
import type { Db, Session } from '../../db/client.ts';
import { beginImport, finishImport } from '../../db/import-rows.ts';
import { CannotDecide, type Decider, keepDecision } from '../../decisions/decisions.ts';
import { markDuplicates } from '../duplicates.ts';
import { openPreparer } from '../import/prepare.ts';
import { COLUMNS } from '../import/revise-sales.ts';
import { lockLedger, writeLocked } from '../import/write-sales.ts';
import { readTitle } from '../match/read-title.ts';
import type { Sale } from '../sale.ts';
import { insertVoids } from '../voids.ts';
import { recordedSale, type SaleName, subjectOf, type WaitingRow, waitingRow } from './sale-named.ts';

/** What became of a sale that was put on its card, and the grade that it is recorded in; `rejection` is null when it counts. */
export type MatchedSale = {
  decision: number;
  company: string;
  grade: string;
  /** Both as people read them; as they were stated where the grade has no price. */
  gradeLabel: string;
  rejection: string | null;
};

type Target = { itemId: string; grade: GradeRow | null };

/**
 * Puts a sale on the card that a person chose: one that waits enters the ledger, one that is recorded is corrected. `grade`
 * null: as the sale or its title states it. `today`: a UTC day number.
 * @throws CannotDecide
 */
export async function matchSale(
  db: Db,
  name: SaleName,
  target: Target,
  decider: Decider,
  today: number,
): Promise<MatchedSale> {
  return await db.transaction(async (session) => {
    await lockLedger(session);
    const waiting = await waitingRow(session, name);
    const importId = await beginImport(session, 'sales', 'match');
    const facts = { ...name, itemId: target.itemId, gradeKey: target.grade?.key ?? null, waiting };
    const decisionId = await keepDecision(session, { kind: 'match_sale', subject: subjectOf(name), facts }, decider);
    const context = { importId, decisionId, today };
    if (waiting === null) await correctSale(session, name, target, context);
    else await admitSale(session, waiting, target, context);
    const { company, grade, gradeKey, rejection } = (await recordedSale(session, name))!;
    const gradeLabel = (gradeKey === null ? null : gradeByKey(gradeKey)?.label) ?? `${company} ${grade}`.trim();
    await finishImport(session, importId, { rows: 1 });
    await session.query(`select pg_notify('sales', '')`);
    return { decision: decisionId, company, grade, gradeLabel, rejection };
  });
}

type MatchContext = { importId: number; decisionId: number; today: number };

/** Writes a sale that waits as an import would, had its row named the card. */
async function admitSale(
  session: Session,
  { sale: waiting, due_day, import_id, file, line }: WaitingRow,
  { itemId, grade }: Target,
  { importId, decisionId, today }: MatchContext,
): Promise<void> {
  if (due_day !== null)
    throw new CannotDecide(
      'This sale is dated ahead; it enters by itself, with "mintmark sales rematch", when its day has come.',
    );
  const sale: Sale = { ...waiting, item: { by: 'id', value: itemId }, ...(grade ?? statedGrade(waiting)) };
  const entry = { line, sale, originImportId: import_id, ...(file !== null && { file }) };
  const batch = await (await openPreparer(session, today)).prepare([entry]);
  const ready = batch.ready.map((one) => ({ ...one, decisionId }));
  if (ready.length === 0) throw new CannotDecide(NO_CARD);
  await writeLocked(session, { ...batch, ready }, { importId, today });
}

const NO_CARD = 'The catalog does not have this card any more.';

/** Company and grade of a sale as its row states them, or its title. */
function statedGrade({ company, grade, title }: Sale): Pick<Sale, 'company' | 'grade'> {
  const { grading } = readTitle(title ?? '');
  // The row leaves the grade to a title of the same company.
  const isOfTitle = company === null || (grade === null && grading.company === company);
  const contradicts = grading.company !== null && grading.company !== company && !grading.conditionAssumed;
  const isUnread = grading.problem === 'grade_ambiguous' || grading.problem === 'grade_unread';
  const priced = company === null ? null : companyOf(company);
  const lacksGrade = grade === null && priced !== null && priced !== 'RAW';
  if (isOfTitle ? isUnread : contradicts || lacksGrade)
    throw new CannotDecide('Its grade is not certain: state it (--grade, such as psa-10 or raw-A).');
  if (!isOfTitle) return { company, grade };
  return { company: grading.company ?? 'RAW', grade: grading.grade?.grade ?? (grading.conditionAssumed ? null : '') };
}

/** Writes the next revision of a recorded sale, of another card or in another grade. */
async function correctSale(
  session: Session,
  name: SaleName,
  { itemId, grade }: Target,
  { importId, decisionId, today }: MatchContext,
): Promise<void> {
  const sale = await recordedSale(session, name);
  if (sale === null)
    throw new CannotDecide(
      `No sale ${subjectOf(name)} waits or is recorded; "mintmark sales unmatched" lists those that wait.`,
    );
  if (sale.void !== null)
    throw new CannotDecide(`This sale is out of the ledger (${sale.void}) and has no card to change.`);
  if (sale.itemId === itemId && (grade === null || grade.key === sale.gradeKey))
    throw new CannotDecide('The sale is of this card and grade already.');
  const cards = await session.query('select from items where id = $1 and removed_at is null', [itemId]);
  if (cards.length === 0) throw new CannotDecide(NO_CARD);
  const changed: Record<string, string> = {
    item_id: '$2::uuid',
    company: 'coalesce($3, company)',
    grade: 'coalesce($4, grade)',
    grade_key: 'coalesce($5, grade_key)',
    rejection: `case when rejection = 'duplicate' or $5 is not null and rejection in ('company_unsupported', 'grade_unsupported')
      then null else rejection end`,
    origin_import_id: 'coalesce(origin_import_id, import_id)',
    decision_id: '$6::bigint',
  };
  const values = COLUMNS.split(',').map((column) => changed[column.trim()] ?? column);
  const [written] = await session.query<{ id: number; source: string; cert: string | null }>(
    `insert into sales (${COLUMNS}, revision, import_id)
     select ${values.join(', ')}, revision + 1, $7 from sales where id = $1 returning id, source, cert`,
    [sale.id, itemId, grade?.company ?? null, grade?.grade ?? null, grade?.key ?? null, decisionId, importId],
  );
  const { id, source, cert } = written!;
  await session.query(
    insertVoids(
      "select $3::bigint as sale_id, 'corrected' as reason, $4::bigint as superseded_by, null::timestamptz as stated_at",
      decisionId,
    ),
    [importId, today, sale.id, id],
  );
  await markDuplicates(session, id, { importId, today }, { sources: [source], haveCerts: cert !== null });
}
