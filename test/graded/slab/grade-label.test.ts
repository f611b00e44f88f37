import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseCertRow } from '../../../src/graded/certs/cert-row.ts';
import { testData } from '../../support/test-data.ts';

function gradeKeyOf(company: string, grade: string): string | null {
  const row = parseCertRow({ cert: '12345', company, grade });
  if (typeof row === 'string') throw new Error(row);
  expect(row.gradeLabel).toBe(grade);
  return row.gradeKey;
}

/** Every way in which the labels of 3,654 slabs spell a grade, read by hand: [company, label, grade]. */
const SPELLINGS: [company: string, label: string, gradeKey: string | null][] = [
  ['PSA', 'GEM-MT 10', 'psa-10'],
  ['PSA', 'MINT 9', 'psa-9'],
  ['PSA', 'NM-MT+ 8.5', 'psa-8-5'],
  ['PSA', 'NM-MT 8', 'psa-8'],
  ['PSA', 'NM 7', 'psa-7'],
  ['PSA', 'EX-MT 6', 'psa-6'],
  ['PSA', 'EX 5', 'psa-5'],
  ['PSA', 'VG-EX 4', 'psa-4'],
  ['PSA', 'VG 3', 'psa-3'],
  ['PSA', 'GOOD 2', 'psa-2'],
  ['PSA', 'Good 2', 'psa-2'],
  ['PSA', 'PR 1', 'psa-1'],
  ['PSA', 'AUTHENTIC', null],
  ['PSA', 'Authentic', null],
  ['PSA', 'GEM-2MT 10', 'psa-10'],
  ['CGC', 'PRISTINE 10', 'cgc-10'],
  ['CGC', 'Pristine 10', 'cgc-10'],
  ['CGC', 'GEM MINT 10', 'cgc-10-gem-mint'],
  ['CGC', 'Gem Mint 10', 'cgc-10-gem-mint'],
  ['CGC', 'GEM MINT 9.5', 'cgc-9-5'],
  ['CGC', 'Gem Mint 9.5', 'cgc-9-5'],
  ['CGC', 'MINT 9', 'cgc-9'],
  ['CGC', 'Mint 9', 'cgc-9'],
  ['CGC', 'NM/MINT+ 8.5', 'cgc-8-5'],
  ['CGC', 'NM/Mint+ 8.5', 'cgc-8-5'],
  ['CGC', 'NM/MINT 8', 'cgc-8'],
  ['CGC', 'NM/Mint 8', 'cgc-8'],
  ['CGC', 'NM+ 7.5', 'cgc-7-5'],
  ['CGC', 'NM 7', 'cgc-7'],
  ['CGC', 'EX/NM+ 6.5', 'cgc-6-5'],
  ['CGC', 'Ex/NM+ 6.5', 'cgc-6-5'],
  ['CGC', 'EX/NM 6', 'cgc-6'],
  ['CGC', 'EXCELLENT+ 5.5', 'cgc-5-5'],
  ['CGC', 'VG/EX+ 4.5', 'cgc-4-5'],
  ['CGC', 'VG/Ex 4', 'cgc-4'],
  ['CGC', 'VERY GOOD+ 3.5', 'cgc-3-5'],
  ['CGC', 'VERY GOOD 3', 'cgc-3'],
  ['CGC', 'Very Good 3', 'cgc-3'],
  ['CGC', 'GOOD+ 2.5', 'cgc-2-5'],
  ['CGC', 'Good+ 2.5', 'cgc-2-5'],
  ['CGC', 'AUTHENTIC', null],
  ['Beckett', '10-Pristine Black Label', 'bgs-10-5'],
  ['Beckett', '10-PRISTINE BLACK LABEL', 'bgs-10-5'],
  ['Beckett', '10-Pristine', 'bgs-10'],
  ['Beckett', '10-PRISTINE', 'bgs-10'],
  ['Beckett', '9.5-Gem Mint', 'bgs-9-5'],
  ['Beckett', '9.5-GEM MINT', 'bgs-9-5'],
  ['Beckett', '9-Mint', 'bgs-9'],
  ['Beckett', '9-MINT', 'bgs-9'],
  ['Beckett', '8.5-NM-MT +', 'bgs-8-5'],
  ['Beckett', '8.5-Near Mint-Mint +', 'bgs-8-5'],
  ['Beckett', '8-NM-MT', 'bgs-8'],
  ['Beckett', '8-Near Mint-Mint', 'bgs-8'],
  ['Beckett', '7.5-NEAR MINT +', 'bgs-7-5'],
  ['Beckett', '7.5-Near Mint +', 'bgs-7-5'],
  ['Beckett', '7-NEAR MINT', 'bgs-7'],
  ['Beckett', '7-Near Mint', 'bgs-7'],
  ['Beckett', '5.5-EX +', 'bgs-5-5'],
  ['TAG', 'NM MT+ 8.5', null],
  ['TAG', 'GEM MINT 10', null],
];

/** A typing error on three labels: read as outside the scale, since a label with two numbers is not trusted. */
const MISSPELT = 'GEM-2MT 10';

describe('the grade on a label', () => {
  test.each(SPELLINGS.filter(([, label]) => label !== MISSPELT))('%s %s is %s', (company, label, gradeKey) => {
    expect(gradeKeyOf(company, label)).toBe(gradeKey);
  });

  test.each([
    ['CGC', 'PERFECT 10', 'cgc-10-5'],
    ['CGC', 'Mint+ 9.5', 'cgc-9-5'],
    ['BGS', 'BGS 9.5', 'bgs-9-5'],
    ['BVG', '8', 'bgs-8'],
    ['PSA', 'PSA 10', 'psa-10'],
    ['PSA', 'psa-8-5', 'psa-8-5'],
  ])('%s %s is %s', (company, label, gradeKey) => {
    expect(gradeKeyOf(company, label)).toBe(gradeKey);
  });

  test.each([
    ['PSA', MISSPELT],
    ['PSA', '9.5'],
    ['PSA', 'MINT 9 (OC)'],
    ['PSA', 'MINT 9 ST'],
    ['PSA', 'NM-MT 8 MK'],
    ['PSA', 'AUTHENTIC ALTERED'],
    ['PSA', 'GEM MT 10 AUTO 10'],
    ['PSA', 'PRISTINE 10'],
    ['CGC', 'Authentic Altered 9'],
    ['CGC', 'Pristine 9.5'],
    ['BGS', 'Authentic Auto 10'],
    ['BCCG', '10'],
    ['BCCG', '10-Mint or Better'],
    ['SGC', '10 Gem Mint'],
  ])('%s %s is outside the priced scale', (company, label) => {
    expect(gradeKeyOf(company, label)).toBeNull();
  });
});

const file = testData('sales', 'vaulted-slabs', 'cards.json');

describe.skipIf(file === null)('over 3,654 real slabs', () => {
  test('company and grade are right on at least 97% of the labels', () => {
    const slabs: { gradingCompany: string; grade: string }[] = JSON.parse(readFileSync(file!, 'utf8'));
    const truth = new Map(SPELLINGS.map(([company, label, gradeKey]) => [`${company} ${label}`, gradeKey]));
    const right = slabs.filter(({ gradingCompany, grade }) => {
      expect(truth.has(`${gradingCompany} ${grade}`)).toBe(true);
      return gradeKeyOf(gradingCompany, grade) === truth.get(`${gradingCompany} ${grade}`);
    });
    console.log(`company and grade: right ${right.length} of ${slabs.length}`);
    expect(right.length / slabs.length).toBeGreaterThanOrEqual(0.97);
  });
});
