import type { KeptSuspect } from '../../audit/suspect-store.ts';
import { gradeByKey } from '../../catalog/grades.ts';
import { type ItemRow, itemHref } from '../../items/item-row.ts';
import { identityOf } from '../../items/summary.ts';
import { gradeName, lineOf } from '../card/card-facts.ts';

/** The wording of suspects; pure. */

const KINDS: Readonly<Record<KeptSuspect['kind'], string>> = {
  shared_id: 'One id on different cards',
  swapped_siblings: 'Printings whose prices look swapped',
  off_curve: 'A grade with the sales of another printing',
  grade_inversion: 'PSA 9 above PSA 10',
  source_factor: 'A source with the sales of another card',
  shifted_set: 'A set with its numbers shifted',
};

export function kindWords({ kind }: Pick<KeptSuspect, 'kind'>): string {
  return KINDS[kind];
}

/** What was decided, and whether prices are withheld. */
export function stateWords({ verdict, isWithheld }: Pick<KeptSuspect, 'verdict' | 'isWithheld'>): string {
  if (verdict === 'right') return 'Decided: nothing is wrong';
  const price = isWithheld ? 'the price is withheld' : 'the price is shown';
  return `${verdict === 'wrong' ? 'Decided: wrong' : 'Open'}; ${price}`;
}

/** Items of a suspect that are listed; a shifted set has hundreds. */
const SHOWN = 6;

/** Its first cards with their addresses, and how many more there are. */
export function subjectsOf({ series }: Pick<KeptSuspect, 'series'>, items: ReadonlyMap<string, ItemRow>) {
  const shown = series.slice(0, SHOWN).map(({ itemId, gradeKey }) => {
    const item = items.get(itemId)!;
    const grade = gradeKey === null ? '' : `, ${gradeName(gradeByKey(gradeKey)!.label)}`;
    return { href: itemHref(item, gradeKey), text: lineOf(identityOf(item)) + grade };
  });
  return { shown, more: series.length - shown.length };
}
