import { gradeInversions } from './detect/grade-inversion.ts';
import { offCurve } from './detect/off-curve.ts';
import { type SharedId, sharedIds } from './detect/shared-ids.ts';
import { shiftedSets } from './detect/shifted-set.ts';
import { sourceFactors } from './detect/source-factor.ts';
import { swappedSiblings } from './detect/swapped-siblings.ts';
import { type GameRows, openGameBook } from './game-book.ts';
import { type FoundSuspect, LISTED_FROM } from './suspect.ts';

/** What the detectors read of a game. */
export type AuditedGame = GameRows & { shared: readonly SharedId[]; idsOf: ReadonlyMap<string, number> };

/**
 * The suspects of a game, without those that another one explains: what is usual is estimated without shifted sets, and swapped siblings
 * have odd sources and grades.
 */
export function auditGame({ shared, idsOf, ...rows }: AuditedGame): FoundSuspect[] {
  const whole = openGameBook(rows);
  const shifted = shiftedSets(whole).filter(isListed);
  const isShifted = itemsOf(shifted);
  const book = openGameBook({ ...rows, cells: rows.cells.filter(({ itemId }) => !isShifted.has(itemId)) });
  const swapped = swappedSiblings(book).filter(isListed);
  const isSwapped = itemsOf(swapped);
  return [
    ...sharedIds(shared, whole.items, idsOf).filter(isListed),
    ...shifted,
    ...swapped,
    ...[...offCurve(book), ...sourceFactors(book)].filter(
      (one) => isListed(one) && !one.series.some(({ itemId }) => isSwapped.has(itemId)),
    ),
    ...gradeInversions(book).filter(isListed),
  ];
}

function isListed({ score }: FoundSuspect): boolean {
  return score >= LISTED_FROM;
}

function itemsOf(found: readonly FoundSuspect[]): Set<string> {
  return new Set(found.flatMap(({ series }) => series.map(({ itemId }) => itemId)));
}
