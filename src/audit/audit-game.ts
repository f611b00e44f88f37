import { gradeInversions } from './detect/grade-inversion.ts';
import { offCurve } from './detect/off-curve.ts';
import { type SharedId, sharedIds } from './detect/shared-ids.ts';
import { shiftedSets } from './detect/shifted-set.ts';
import { sourceFactors } from './detect/source-factor.ts';
import { swappedSiblings } from './detect/swapped-siblings.ts';
import { type GameRows, openGameBook } from './game-book.ts';
import { type FoundSuspect, LISTED_FROM } from './suspect.ts';
import { titleEvidence } from './title-evidence.ts';

/** What the detectors read of a game. */
export type AuditedGame = GameRows & { shared: readonly SharedId[]; idsOf: ReadonlyMap<string, number> };

/**
 * The suspects of a game, without those that another one explains: what is usual is estimated without shifted sets, and swapped siblings
 * have odd sources and grades, as items have of which a source has another card.
 */
export function auditGame({ shared, idsOf, ...rows }: AuditedGame): FoundSuspect[] {
  const whole = openGameBook(rows);
  const shifted = shiftedSets(whole).filter(isListed);
  const isShifted = itemsOf(shifted);
  const rest = <Row extends { itemId: string }>(all: readonly Row[]) =>
    all.filter(({ itemId }) => !isShifted.has(itemId));
  const book = openGameBook({ ...rows, cells: rest(rows.cells), titles: rest(rows.titles) });
  const titles = titleEvidence(book);
  const swapped = swappedSiblings(book, titles).filter(isListed);
  const explained = itemsOf(swapped);
  const ofOneSource = without(sourceFactors(book, titles), explained);
  for (const itemId of itemsOf(ofOneSource)) explained.add(itemId);
  return [
    ...sharedIds(shared, whole.items, idsOf).filter(isListed),
    ...shifted,
    ...swapped,
    ...ofOneSource,
    ...without(offCurve(book, titles), explained),
    ...gradeInversions(book).filter(isListed),
  ];
}

function isListed({ score }: FoundSuspect): boolean {
  return score >= LISTED_FROM;
}

/** The listed ones of other items. */
function without(found: readonly FoundSuspect[], items: ReadonlySet<string>): FoundSuspect[] {
  return found.filter((one) => isListed(one) && !one.series.some(({ itemId }) => items.has(itemId)));
}

function itemsOf(found: readonly FoundSuspect[]): Set<string> {
  return new Set(found.flatMap(({ series }) => series.map(({ itemId }) => itemId)));
}
