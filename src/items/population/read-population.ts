import { Type } from 'typebox';
import { gradeByKey } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { formatDay } from '../../lib/day.ts';
import { nullable } from '../shapes.ts';
import { type PopulationRow, populationOf } from './population.ts';

const share = Type.Number({ minimum: 0, maximum: 1 });
const slabs = Type.Integer({ minimum: 0 });
const day = Type.String({ format: 'date' });

const counts = {
  atGrade: slabs,
  higher: slabs,
  gemRate: nullable(
    Type.Object(
      { value: share, low: share, high: share },
      { description: 'Share of the slabs that are graded 10, with its 95% interval.' },
    ),
  ),
  asOf: day,
  source: Type.String(),
  growth: nullable(
    Type.Object(
      { since: day, added: Type.Integer() },
      { description: 'Slabs since the newest report that is at least four weeks older.' },
    ),
  ),
};

export const population = nullable(
  Type.Object(
    { total: slabs, ...counts },
    {
      title: 'Population',
      description:
        'Slabs of the card by the company of the grade, as its newest imported report has them; null without one.',
    },
  ),
);

/** Of a slab, where its grader may have reported a part. */
export const certPopulation = Type.Object(
  { total: nullable(slabs), ...counts },
  {
    title: 'CertPopulation',
    description:
      'Slabs of the card in the grade and above it: of the newest imported report, or as the grader reported them with the cert (`total` null).',
  },
);

const GROWTH_DAYS = 28;

/** What a grader reports with a cert: slabs in its grade and above it, on a day. */
export type CertCounts = { atGrade: number; higher: number; day: number };

type PopulationQuery = { itemId: string; gradeKey: string | null };
type ReportRow = PopulationRow & { itemId: string; company: string };

// Each report by its key: how many cards there are does not matter.
const REPORTS = `with wanted as (
    select distinct item_id, company from unnest($1::uuid[], $2::text[]) w (item_id, company)
  ), newest as (
    select w.item_id, w.company, (select max(p.day) from populations p
      where p.item_id = w.item_id and p.company = w.company and p.day <= coalesce($3::int, p.day)) as day
    from wanted w
  )
  select n.item_id as "itemId", n.company, k.day, k.grade, k.count, k.source from newest n join populations k using (item_id, company)
  where k.day = n.day or k.day = (select max(e.day) from populations e
    where e.item_id = n.item_id and e.company = n.company and e.day <= n.day - ${GROWTH_DAYS})`;

/** The populations of items at grades, in order, as reported until `asOf`; null for ungraded cards and without a report. One statement. */
export async function readPopulations(sql: Sql, wanted: readonly PopulationQuery[], asOf: number | null) {
  const grades = wanted.map(({ gradeKey }) => (gradeKey === null ? null : gradeByKey(gradeKey)));
  const graded = wanted.flatMap(({ itemId }, at) => {
    const grade = grades[at];
    return grade == null || grade.company === 'RAW' ? [] : [{ itemId, company: grade.company }];
  });
  const rows =
    graded.length === 0
      ? []
      : await sql.prepared<ReportRow>('populations_of_items', REPORTS, [
          graded.map(({ itemId }) => itemId),
          graded.map(({ company }) => company),
          asOf,
        ]);
  return wanted.map(({ itemId }, at) => {
    const grade = grades[at];
    if (grade == null || grade.company === 'RAW') return null;
    const found = populationOf(
      rows.filter((row) => row.itemId === itemId && row.company === grade.company),
      grade,
    );
    if (found === null) return null;
    const { day: reported, growth, ...counts } = found;
    return {
      ...counts,
      asOf: formatDay(reported),
      growth: growth && { since: formatDay(growth.sinceDay), added: growth.added },
    };
  });
}

/** The population of an item at a grade. */
export async function readPopulation(sql: Sql, itemId: string, gradeKey: string | null, asOf: number | null) {
  return (await readPopulations(sql, [{ itemId, gradeKey }], asOf))[0]!;
}

type Reported = NonNullable<Awaited<ReturnType<typeof readPopulation>>>;

/** The population of a slab: the imported report, or what its grader reported with the cert where that is newer. */
export function populationOfCert(report: Reported | null, counts: CertCounts | null, company: string) {
  if (counts === null || (report !== null && report.asOf >= formatDay(counts.day))) return report;
  const { atGrade, higher, day: counted } = counts;
  const source = company.toLowerCase();
  return { total: null, atGrade, higher, gemRate: null, asOf: formatDay(counted), source, growth: null };
}
