import { gradeInversions } from './detect/grade-inversion.ts';
import { offCurve } from './detect/off-curve.ts';
import { type SharedId, sharedIds } from './detect/shared-ids.ts';
import { shiftedSets } from './detect/shifted-set.ts';
import { sourceFactors } from './detect/source-factor.ts';
import { swappedSiblings } from './detect/swapped-siblings.ts';
import { type GameRows, openGameBook } from './game-book.ts';
import { type FoundSuspect, LISTED_FROM, type SuspectKind } from './suspect.ts';

/** What the detectors read of a game. */
export type AuditedGame = GameRows & { shared: readonly SharedId[]; idsOf: ReadonlyMap<string, number> };

/** The suspects of a game, without those that another one explains: a shifted set has odd siblings, and swapped ones odd sources. */
export function auditGame({ shared, idsOf, ...rows }: AuditedGame): FoundSuspect[] {
  const book = openGameBook(rows);
  const shifted = shiftedSets(book).filter(isListed);
  const swapped = unexplained(swappedSiblings(book).filter(isListed), shifted);
  const others = [...offCurve(book), ...gradeInversions(book), ...sourceFactors(book)].filter(isListed);
  return [
    ...sharedIds(shared, book.items, idsOf).filter(isListed),
    ...shifted,
    ...swapped,
    ...unexplained(others, [...shifted, ...swapped]),
  ];
}

function isListed({ score }: FoundSuspect): boolean {
  return score >= LISTED_FROM;
}

/** Kinds that a shifted set or swapped siblings may bring about. */
const CONSEQUENCES: ReadonlySet<SuspectKind> = new Set(['swapped_siblings', 'off_curve', 'source_factor']);

function unexplained(found: readonly FoundSuspect[], by: readonly FoundSuspect[]): FoundSuspect[] {
  const explained = new Set(by.flatMap(({ series }) => series.map(({ itemId }) => itemId)));
  return found.filter(
    ({ kind, series }) => !CONSEQUENCES.has(kind) || !series.some(({ itemId }) => explained.has(itemId)),
  );
}
