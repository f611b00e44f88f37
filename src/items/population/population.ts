import { GRADES, type GradeRow, gradeByKey } from '../../catalog/grades.ts';

/** What a grader reported of a card in one grade on a day: a key of the scale, or words outside of it. */
export type PopulationRow = { day: number; grade: string; count: number; source: string };

/** How many slabs there are, from the newest report; `gemRate` is the share graded 10. */
export type Population = {
  total: number;
  atGrade: number;
  higher: number;
  gemRate: { value: number; low: number; high: number } | null;
  day: number;
  source: string;
  /** Slabs since the newest report that is at least four weeks older. */
  growth: { sinceDay: number; added: number } | null;
};

/** Two-sided 95%. */
const Z = 1.959964;

/**
 * Wilson's score interval of a share (Wilson 1927): within 0 and 1, also of 0 and of all. Null of none.
 * Center (k + z²/2) / (n + z²), half width z √(k (n − k) / n + z²/4) / (n + z²).
 */
export function wilson(k: number, n: number): { value: number; low: number; high: number } | null {
  if (n === 0) return null;
  const center = (k + Z ** 2 / 2) / (n + Z ** 2);
  const half = (Z * Math.sqrt((k * (n - k)) / n + Z ** 2 / 4)) / (n + Z ** 2);
  // At the ends the two are equal but for the last digit.
  return { value: k / n, low: k === 0 ? 0 : center - half, high: k === n ? 1 : center + half };
}

/** The population of a card at a grade from the rows of its newest report and of an earlier one; null without a report. */
export function populationOf(rows: readonly PopulationRow[], grade: GradeRow): Population | null {
  if (rows.length === 0) return null;
  const day = Math.max(...rows.map((row) => row.day));
  const newest = rows.filter((row) => row.day === day);
  const earlier = rows.filter((row) => row.day !== day);
  const sum = (some: readonly PopulationRow[]) => some.reduce((all, { count }) => all + count, 0);
  const inScale = (fits: (one: GradeRow) => boolean) =>
    sum(newest.filter((row) => fits(gradeByKey(row.grade) ?? OUTSIDE)));
  const total = sum(newest);
  return {
    total,
    atGrade: inScale(({ key }) => key === grade.key),
    higher: inScale(({ rank, company }) => company === grade.company && rank > grade.rank),
    gemRate: wilson(
      inScale(({ number }) => number === 10),
      total,
    ),
    day,
    source: newest[0]!.source,
    growth: earlier.length === 0 ? null : { sinceDay: earlier[0]!.day, added: total - sum(earlier) },
  };
}

const OUTSIDE: GradeRow = { ...GRADES[0]!, key: '', number: null, rank: Number.NEGATIVE_INFINITY };
