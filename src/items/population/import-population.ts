import { readCsv } from '../../catalog/formats/csv.ts';
import { cleanText } from '../../catalog/formats/text.ts';
import { companyOf, gradeOf } from '../../catalog/grades.ts';
import { itemsNamed } from '../../catalog/import-ids.ts';
import { unquoted } from '../../catalog/upstream.ts';
import type { Db, Session } from '../../db/client.ts';
import { beginImport, finishImport } from '../../db/import-rows.ts';
import { dayOf, parseDay } from '../../lib/day.ts';

type PopulationReport = {
  rows: number;
  stored: number;
  /** Known already, with the same count. */
  unchanged: number;
  problems: { line: number; message: string }[];
};

type CountRow = {
  line: number;
  item: string;
  company: string;
  day: number;
  grade: string;
  count: number;
  source: string;
};

const REQUIRED = ['item', 'company', 'grade', 'day', 'count'] as const;
const COLUMNS = [...REQUIRED, 'source'] as const;
const MAX_COUNT = 100_000_000;
const MAX_WORDS = 60;
const BATCH_ROWS = 5000;

/**
 * Adds reports of populations: CSV `item,company,grade,day,count` and perhaps `source`, the item as catalog id or href. A count
 * of a day is never changed: a row with another one is rejected. `nowMs`: no report is of a later day.
 */
export async function importPopulation(
  db: Db,
  path: string,
  { nowMs, onProgress }: { nowMs: number; onProgress?: (rows: number) => void },
): Promise<PopulationReport> {
  let importId: number | undefined;
  const report: PopulationReport = { rows: 0, stored: 0, unchanged: 0, problems: [] };
  let batch: CountRow[] = [];
  const flush = async () => {
    // Not before: of a file with another header nothing is written, and there is nothing to finish.
    importId ??= await beginImport(db, 'population', 'csv', [path]);
    const id = importId;
    await db.transaction((session) => storeCounts(session, id, batch, report));
    batch = [];
    onProgress?.(report.rows);
  };
  for await (const { line, fields, problem } of readCsv(path, COLUMNS, REQUIRED)) {
    report.rows++;
    const read = problem ?? readCount(line, fields ?? {}, dayOf(nowMs));
    if (typeof read === 'string') report.problems.push({ line, message: read });
    else if (batch.push(read) >= BATCH_ROWS) await flush();
  }
  await flush();
  report.problems.sort((a, b) => a.line - b.line);
  const { rows, stored, unchanged, problems } = report;
  await finishImport(db, importId!, { rows, stored, unchanged, rejected: problems.length });
  await db.query(`select pg_notify('catalog', '')`);
  return report;
}

type Fields = { [column in (typeof COLUMNS)[number]]?: string };

/** A row, or what is wrong with it. */
function readCount(line: number, fields: Fields, today: number): CountRow | string {
  const text = (name: (typeof COLUMNS)[number]) => unquoted(fields[name] ?? '');
  const company = companyOf(text('company'));
  if (company === null || company === 'RAW') return 'the company must be PSA, BGS or CGC';
  const words = cleanText(text('grade'));
  if (words === null || words.length > MAX_WORDS) return `a grade has 1 to ${MAX_WORDS} characters`;
  const day = parseDay(text('day'));
  if (day === null || day > today) return 'the day is not a date until today, YYYY-MM-DD';
  const count = /^\d{1,9}$/.test(text('count')) ? Number(text('count')) : Number.NaN;
  if (!(count <= MAX_COUNT)) return `the count is not a whole number from 0 to ${MAX_COUNT}`;
  const source = text('source') || company.toLowerCase();
  if (!/^[a-z0-9-]{1,40}$/.test(source)) return 'a source has 1 to 40 of a-z, 0-9 and -';
  const grade = gradeOf(company, words)?.key ?? words.toLowerCase();
  return { line, item: text('item'), company, day, grade, count, source };
}

async function storeCounts(session: Session, importId: number, rows: CountRow[], report: PopulationReport) {
  const itemOf = await itemsNamed(
    session,
    rows.map(({ item }) => item),
  );
  const reject = (line: number, message: string) => void report.problems.push({ line, message });
  const named = rows.flatMap(({ item, ...row }) => {
    const itemId = itemOf.get(item);
    if (itemId === undefined) reject(row.line, 'no item has this id or href');
    return itemId === undefined ? [] : [{ ...row, itemId }];
  });
  const known = await session.query<{ key: string; count: number }>(
    `select concat_ws(' ', p.item_id, p.company, p.day, p.grade) as key, p.count
     from unnest($1::uuid[], $2::text[], $3::int[], $4::text[]) as r (item_id, company, day, grade)
     join populations p using (item_id, company, day, grade)`,
    [
      named.map((row) => row.itemId),
      ...(['company', 'day', 'grade'] as const).map((key) => named.map((row) => row[key])),
    ],
  );
  const countOf = new Map(known.map(({ key, count }) => [key, count]));
  const added = named.filter(({ line, itemId, company, day, grade, count }) => {
    const key = [itemId, company, day, grade].join(' ');
    const before = countOf.get(key);
    if (before === undefined) countOf.set(key, count);
    else if (before === count) report.unchanged++;
    else reject(line, `the report of this day has ${before} in this grade; a report is never changed`);
    return before === undefined;
  });
  report.stored += added.length;
  await session.query(
    `insert into populations (item_id, company, day, grade, count, source, import_id)
     select *, $7 from unnest($1::uuid[], $2::text[], $3::int[], $4::text[], $5::int[], $6::text[])`,
    [
      added.map((row) => row.itemId),
      ...(['company', 'day', 'grade', 'count', 'source'] as const).map((key) => added.map((row) => row[key])),
      importId,
    ],
  );
}
