import { Type } from 'typebox';
import { gradeByKey } from '../../catalog/grades.ts';
import type { Sql } from '../../db/client.ts';
import { formatDay } from '../../lib/day.ts';
import { nullable } from '../shapes.ts';
import { type PopulationRow, populationOf } from './population.ts';

const share = Type.Number({ minimum: 0, maximum: 1 });
const slabs = Type.Integer({ minimum: 0 });
const day = Type.String({ format: 'date' });

export const population = nullable(
  Type.Object(
    {
      total: slabs,
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
    },
    {
      title: 'Population',
      description:
        'Slabs of the card by the company of the grade, as its newest imported report has them; null without one.',
    },
  ),
);

const GROWTH_DAYS = 28;

/** The population of an item at a grade, as reported until `asOf`; null for ungraded cards and without a report. */
export async function readPopulation(sql: Sql, itemId: string, gradeKey: string | null, asOf: number | null) {
  const grade = gradeKey === null ? null : gradeByKey(gradeKey);
  if (grade === null || grade.company === 'RAW') return null;
  const rows = await sql.prepared<PopulationRow>(
    'population_of_item',
    `with known as (
       select * from populations where item_id = $1 and company = $2 and day <= coalesce($3::int, day)
     ), newest as (select max(day) as day from known)
     select k.day, k.grade, k.count, k.source from known k, newest n
     where k.day = n.day or k.day = (select max(e.day) from known e where e.day <= n.day - ${GROWTH_DAYS})`,
    [itemId, grade.company, asOf],
  );
  const found = populationOf(rows, grade);
  if (found === null) return null;
  const { day: reported, growth, ...counts } = found;
  return {
    ...counts,
    asOf: formatDay(reported),
    growth: growth && { since: formatDay(growth.sinceDay), added: growth.added },
  };
}
