import { expect, test } from 'vitest';
import { identifyByTitle } from '../../src/sales/identify.ts';
import { buildMatchIndex } from '../../src/sales/match/match-index.ts';
import type { Offered } from '../../src/sales/sale.ts';
import { pokemon } from './match/match-cards.ts';

const index = buildMatchIndex([pokemon('base', 'Base Set', '4', 'Charizard', { year: 1999 })]);

/** The series that a row is a sale of, or the reason for which it waits. */
function identified(title: string, company: string | null, grade: string | null): string {
  const row: Offered = {
    item: { by: 'title', value: `1999 Pokemon Base Set Charizard 4/102 ${title}` },
    ...{ company, grade, title, priceMinor: 100, currency: 'USD', source: 'ebay', url: null },
  };
  const answer = identifyByTitle(row, index);
  if (answer.item === null) return answer.reason;
  return `${answer.grade.row?.key ?? answer.grade.scale}${answer.grade.assumed ? ' assumed' : ''}`;
}

test.each<[title: string, company: string | null, grade: string | null, answer: string]>([
  ['PSA 10', null, null, 'psa-10'],
  ['PSA 10', 'PSA', '10', 'psa-10'],
  ['', 'PSA', '10', 'psa-10'],
  ['PSA 10', 'PSA', '9', 'grade_differs'],
  ['PSA 10', 'BGS', '10', 'grade_differs'],
  ['PSA 10', 'RAW', 'A', 'grade_differs'],
  ['PSA 10', 'RAW', null, 'grade_differs'],
  ['CGC 10 Pristine', 'CGC', '10 Gem Mint', 'grade_differs'],
  ['CGC 10', 'CGC', '10 Pristine', 'cgc-10'],
  ['PSA 8 or PSA 9', 'PSA', '9', 'psa-9'],
  ['graded', 'PSA', '9', 'psa-9'],
  ['PSA 10', 'PSA', 'Authentic', 'grade_unsupported'],
  ['PSA 10', 'PSA', null, 'psa-10'],
  ['PSA', 'PSA', null, 'grade_unread'],
  ['', 'RAW', null, 'raw-A assumed'],
  ['', 'PSA', null, 'grade_unread'],
  ['PSA 10', 'SGC', null, 'grade_differs'],
  ['', 'SGC', null, 'company_unsupported'],
  ['', 'RAW', 'B', 'raw-B'],
  ['near mint', 'RAW', 'B', 'grade_differs'],
  ['lightly played', 'RAW', null, 'raw-B'],
  ['damaged', 'RAW', null, 'grade_unsupported'],
  ['near mint', 'PSA', '9', 'grade_differs'],
])('"%s" with the columns %s and %s: %s', (title, company, grade, answer) => {
  expect(identified(title, company, grade)).toBe(answer);
});
