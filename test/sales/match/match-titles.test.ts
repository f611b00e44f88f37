import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { buildMatchIndex, type MatchItem } from '../../../src/sales/match/match-index.ts';
import { matchTitle } from '../../../src/sales/match/match-title.ts';
import { readTitle, type TitleReading } from '../../../src/sales/match/read-title.ts';
import { testData } from '../../support/test-data.ts';
import { itemKey, siblings, type Title, truthItem } from './match-catalog.ts';

const file = testData('sales', 'titles.json');
const titles: Title[] = file === null ? [] : JSON.parse(readFileSync(file, 'utf8'));

type Half = 'tuning' | 'held out';

/** The rules were written against one half; the other, by hash of the title, says what they are worth. */
function halfOf(title: string): Half {
  let hash = 2166136261;
  for (const letter of title) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619);
  return (hash >>> 7) % 2 === 1 ? 'held out' : 'tuning';
}

const percent = (part: number, whole: number): string => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)}%)`;

/** True when company and grade are the truth's: a missing company is an ungraded card, a missing grade is outside the scale. */
function isRightGrade({ grading }: TitleReading, { truth }: Title): boolean {
  if (grading.company !== (truth.company ?? 'RAW')) return false;
  if (truth.company == null || truth.company === 'TAG') return true;
  if (truth.grade == null || grading.grade === null) return truth.grade == null && grading.grade === null;
  if (truth.grade !== 10 || truth.company === 'PSA') return grading.grade.number === truth.grade;
  const name = /black/.test(truth.label ?? '')
    ? 'Black Label'
    : /pristine/.test(truth.label ?? '')
      ? 'Pristine'
      : 'Gem Mint';
  return grading.grade.grade === `10 ${name}`;
}

describe.skipIf(file === null)('over 301 real titles', () => {
  test('company and grade are right in 99% of those answered, and 90% are answered', () => {
    const counts = { all: 0, answered: 0, right: 0, assumed: 0 };
    for (const title of titles.filter(({ truth_basis }) => truth_basis !== 'published label')) {
      const reading = readTitle(title.title);
      counts.all++;
      if (reading.grading.problem === 'grade_ambiguous' || reading.grading.problem === 'grade_unread') continue;
      counts.answered++;
      if (isRightGrade(reading, title)) counts.right++;
      else if (reading.grading.conditionAssumed) counts.assumed++;
    }
    console.log(
      `company and grade: answered ${percent(counts.answered, counts.all)}, right ${percent(counts.right, counts.answered)};` +
        ` ${counts.assumed} of the wrong ones say nothing of grading and are read as ungraded`,
    );
    expect(counts.right / counts.answered).toBeGreaterThanOrEqual(0.99);
    expect(counts.answered / counts.all).toBeGreaterThanOrEqual(0.9);
  });

  test('of titles that determine a card 85% are matched and 1% wrong; without the true card 1% are accepted', () => {
    const catalog = new Map<string, MatchItem>();
    for (const title of titles) {
      const item = truthItem(title);
      const near = item === null ? [] : siblings(item);
      if (item !== null) expect(near.length).toBeGreaterThanOrEqual(5);
      for (const one of item === null ? [] : [item, ...near]) catalog.set(itemKey(one), { ...one, id: itemKey(one) });
    }
    const index = buildMatchIndex(catalog.values());
    const table = { tuning: emptyCounts(), 'held out': emptyCounts() };
    for (const title of titles) {
      const item = truthItem(title);
      const counts = table[halfOf(title.title)];
      const reading = readTitle(title.title);
      const match = matchTitle(reading, index);
      if (item === null || title.truth.is_that_card === false) {
        if (title.truth.multi_card || /\blot\b/i.test(title.title)) counts.lots++;
        if (title.truth.multi_card || /\blot\b/i.test(title.title)) counts.lotsRefused += match.matched ? 0 : 1;
        // "Is not that card" is said of the ungraded plain card.
        if (item !== null && match.matched && match.itemId === itemKey(item) && match.company === 'RAW') counts.wrong++;
        continue;
      }
      counts.cards++;
      if (match.matched) counts[match.itemId === itemKey(item) ? 'right' : 'wrong']++;
      const without = buildMatchIndex([...catalog.values()].filter(({ id }) => id !== itemKey(item)));
      if (matchTitle(reading, without).matched) counts.acceptedWithout++;
    }
    for (const [half, { cards, right, wrong, acceptedWithout, lots, lotsRefused }] of Object.entries(table)) {
      console.log(
        `cards, ${half}: matched ${percent(right, cards)}, wrong ${percent(wrong, cards)}, ` +
          `accepted without the true card ${percent(acceptedWithout, cards)}; lots rejected ${lotsRefused} of ${lots}`,
      );
      expect(right / cards).toBeGreaterThanOrEqual(0.85);
      expect(wrong / cards).toBeLessThanOrEqual(0.01);
      expect(acceptedWithout / cards).toBeLessThanOrEqual(0.01);
      expect(lotsRefused).toBe(lots);
    }
  });
});

function emptyCounts() {
  return { cards: 0, right: 0, wrong: 0, acceptedWithout: 0, lots: 0, lotsRefused: 0 };
}
