import { briefDay, count, percentOf } from '../format.ts';
import type { ItemDetail } from './card-price.tsx';

/** `1,425 of PSA, 121 of them in PSA 9 and 25 higher; 1.8% graded 10 (1.2% to 2.6%); 32 more since 1 May 2026; 10 Jun 2026`, or null. */
export function populationWords({ population, company, gradeLabel }: PopulationFacts): string | null {
  if (population === null || company === null || gradeLabel === null) return null;
  const { total, atGrade, higher, gemRate, asOf, growth } = population;
  const parts = [
    `${count(total)} of ${company}, ${count(atGrade)} of them in ${gradeLabel} and ${count(higher)} higher`,
    gemRate && `${share(gemRate.value)} graded 10 (${share(gemRate.low)} to ${share(gemRate.high)})`,
    growth && `${signed(growth.added)} since ${briefDay(growth.since)}`,
    `as of ${briefDay(asOf)}`,
  ];
  return parts.filter((part) => part !== null).join('; ');
}

type PopulationFacts = Pick<ItemDetail, 'population' | 'company' | 'gradeLabel'>;

const share = (value: number) => percentOf(value * 100);

/** A report may have fewer than the one before: slabs are opened. */
function signed(added: number): string {
  return added < 0 ? `${count(-added)} fewer` : `${count(added)} more`;
}
