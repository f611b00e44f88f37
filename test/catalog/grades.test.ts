import { describe, expect, test } from 'vitest';
import { GRADES, gradeByKey, gradeOf } from '../../src/catalog/grades.ts';

const read = (company: string, text: string): string | null => gradeOf(company, text)?.key ?? null;

describe('the table of grades', () => {
  test('keys and labels are unique, and every way the service itself writes a grade is read back', () => {
    expect(new Set(GRADES.map((row) => row.key)).size).toBe(GRADES.length);
    expect(new Set(GRADES.map((row) => row.label)).size).toBe(GRADES.length);
    for (const row of GRADES) {
      expect(gradeByKey(row.key)).toBe(row);
      for (const text of [row.key, row.grade, row.label]) expect(read(row.company, text), text).toBe(row.key);
    }
  });

  test('rank rises with the condition within each company', () => {
    for (const company of ['PSA', 'BGS', 'CGC', 'RAW']) {
      const numbers = GRADES.filter((row) => row.company === company).map((row) => row.number ?? 0);
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    }
    const ranks = ['raw-D', 'raw-C', 'raw-B', 'raw-A'].map((key) => gradeByKey(key)!.rank);
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });

  test('the wire words and labels are those of the contract', () => {
    const facts = [
      ['psa-1', '1 Poor', 'PSA 1'],
      ['psa-1-5', '1.5 Fair', 'PSA 1.5'],
      ['psa-2', '2 Good', 'PSA 2'],
      ['psa-2-5', '2.5 Good+', 'PSA 2.5'],
      ['psa-3', '3 Very Good', 'PSA 3'],
      ['psa-3-5', '3.5 Very Good+', 'PSA 3.5'],
      ['psa-4', '4 Very Good-Excellent', 'PSA 4'],
      ['psa-4-5', '4.5 Very Good-Excellent+', 'PSA 4.5'],
      ['psa-5', '5 Excellent', 'PSA 5'],
      ['psa-5-5', '5.5 Excellent+', 'PSA 5.5'],
      ['psa-6', '6 Excellent-Mint', 'PSA 6'],
      ['psa-6-5', '6.5 Excellent-Mint+', 'PSA 6.5'],
      ['psa-7', '7 Near Mint', 'PSA 7'],
      ['psa-7-5', '7.5 Near Mint+', 'PSA 7.5'],
      ['psa-8', '8 NM-MT', 'PSA 8'],
      ['psa-8-5', '8.5 NM-MT+', 'PSA 8.5'],
      ['psa-9', '9 Mint', 'PSA 9'],
      ['bgs-4', '4 Very Good-Excellent', 'BGS 4'],
      ['bgs-8', '8 NM/Mint', 'BGS 8'],
      ['bgs-8-5', '8.5 NM/Mint+', 'BGS 8.5'],
      ['bgs-9', '9 Mint', 'BGS 9'],
      ['cgc-6', '6 Excellent-Mint', 'CGC 6'],
      ['cgc-8', '8 NM/Mint', 'CGC 8'],
      ['cgc-8-5', '8.5 NM/Mint+', 'CGC 8.5'],
      ['cgc-9-5', '9.5 Mint +', 'CGC 9.5'],
      ['psa-10', '10 Gem Mint', 'PSA 10'],
      ['bgs-9-5', '9.5 Gem Mint', 'BGS 9.5'],
      ['bgs-10', '10 Pristine', 'BGS 10 Pristine'],
      ['bgs-10-5', '10 Black Label', 'BGS 10 Black Label'],
      ['cgc-10-gem-mint', '10 Gem Mint', 'CGC 10'],
      ['cgc-10', '10 Pristine', 'CGC 10 Pristine'],
      ['cgc-10-5', '10 Perfect', 'CGC 10 Perfect'],
      ['raw-A', 'A', 'Raw A'],
      ['raw-B', 'B', 'Raw B'],
      ['raw-C', 'C', 'Raw C'],
      ['raw-D', 'D', 'Raw D'],
    ];
    for (const [key, grade, label] of facts) expect(gradeByKey(key!)).toMatchObject({ grade, label });
    expect(gradeByKey('psa-9-5')).toBeNull();
    expect(gradeByKey('raw-a')).toBe(gradeByKey('raw-A'));
    for (const key of ['raw-E', 'straw-a', 'raw-ab', '']) expect(gradeByKey(key), key).toBeNull();
  });
});

describe('reading a grade', () => {
  test.each([
    ['PSA', '10', 'psa-10'],
    ['PSA', '10.0', 'psa-10'],
    ['PSA', '10.00', 'psa-10'],
    ['PSA', 'GEM MT 10', 'psa-10'],
    ['PSA', 'GEM-MT 10', 'psa-10'],
    ['PSA', '10 Gem Mint', 'psa-10'],
    ['PSA', 'NM-MT+ 8.5', 'psa-8-5'],
    ['PSA', 'VG-EX 4', 'psa-4'],
    ['PSA', 'Good 2', 'psa-2'],
    ['PSA', 'PR 1', 'psa-1'],
    ['psa', 'Mint', 'psa-9'],
    ['Beckett', '9.5-Gem Mint', 'bgs-9-5'],
    ['Beckett', '10-Pristine', 'bgs-10'],
    [' bvg ', ' bgs-9-5 ', 'bgs-9-5'],
    ['BGS', 'BVG 9.5 Gem Mint', 'bgs-9-5'],
    ['PSA', '8.5 NM-MT plus', 'psa-8-5'],
    ['CGC', 'Ex-NM', 'cgc-6'],
    ['BGS', '10-PRISTINE BLACK LABEL', 'bgs-10-5'],
    ['BGS', 'Black Label', 'bgs-10-5'],
    ['BGS', '10', 'bgs-10'],
    ['BGS', '8.5-Near Mint-Mint +', 'bgs-8-5'],
    ['BGS', '7.5-NEAR MINT +', 'bgs-7-5'],
    ['CGC', 'PRISTINE 10', 'cgc-10'],
    ['CGC', 'GEM MINT 10', 'cgc-10-gem-mint'],
    ['CGC', 'GEM 10', 'cgc-10-gem-mint'],
    ['CGC', 'Perfect 10', 'cgc-10-5'],
    ['CGC', '10', 'cgc-10-gem-mint'],
    ['CGC', 'GEM MINT 9.5', 'cgc-9-5'],
    ['CGC', 'Mint+ 9.5', 'cgc-9-5'],
    ['CGC', 'NM/MINT+ 8.5', 'cgc-8-5'],
    ['CGC', 'EX/NM+ 6.5', 'cgc-6-5'],
    ['CGC', '7.5 nrmt+', 'cgc-7-5'],
    ['PSA', '6 exmt', 'psa-6'],
    ['CGC', 'VERY GOOD+ 3.5', 'cgc-3-5'],
    ['RAW', 'A', 'raw-A'],
    ['raw', 'NM', 'raw-A'],
    ['Ungraded', 'near mint', 'raw-A'],
    ['RAW', 'Near Mint or Better', 'raw-A'],
    ['RAW', 'LP', 'raw-B'],
    ['RAW', 'Lightly Played', 'raw-B'],
    ['RAW', 'Moderately Played', 'raw-C'],
    ['RAW', 'Heavily Played', 'raw-D'],
    ['RAW', 'Heavy Play', 'raw-D'],
    ['RAW', 'NM+', 'raw-A'],
  ])('%s %j is %s', (company, text, key) => {
    expect(read(company, text)).toBe(key);
  });

  test.each([
    ['PSA', 'poor pr', 'psa-1'],
    ['PSA', 'fair fr', 'psa-1-5'],
    ['PSA', 'good gd', 'psa-2'],
    ['PSA', 'vgex vg-ex', 'psa-4'],
    ['PSA', 'excellent exc ex', 'psa-5'],
    ['PSA', 'exmt ex-mt ex-nm', 'psa-6'],
    ['PSA', 'nr-mint nrmt nm', 'psa-7'],
    ['PSA', 'nmmt nm-mt', 'psa-8'],
    ['PSA', 'gem gm gem-mint', 'psa-10'],
    ['BGS', 'gem gm gem-mint', 'bgs-9-5'],
    ['BGS', 'black-label pristine-black-label black-label-pristine', 'bgs-10-5'],
    ['RAW', 'd hp heavy-play heavily-played heavy-played poor', 'raw-D'],
    ['RAW', 'c mp moderate-play moderately-played moderate-played played vg good', 'raw-C'],
    ['RAW', 'b lp light-play lightly-played light-played slightly-played sp ex ex+ ex-mint', 'raw-B'],
    ['RAW', 'a nm nm+ mint mint+ m nm-mint nm-mint+ nm-m nm-or-better mint-nm gem-mint', 'raw-A'],
  ])('%s: %s, each alone, is %s', (company, spellings, key) => {
    for (const text of spellings.split(' ')) expect(read(company, text), text).toBe(key);
  });

  test.each([
    ['PSA', '9.5', 'PSA has no 9.5'],
    ['PSA', 'GEM MINT 9', 'the words say 10'],
    ['BGS', 'Gem Mint 10', 'Gem Mint is 9.5 at BGS'],
    ['CGC', 'Gem Mint', 'it was 9.5 once'],
    ['PSA', 'Authentic', 'outside the scale'],
    ['PSA', 'AUTHENTIC 10', 'outside the scale'],
    ['PSA', 'Altered', 'outside the scale'],
    ['PSA', '8 (OC)', 'a qualifier'],
    ['PSA', 'NM-MT 8 ST', 'a qualifier'],
    ['PSA', '9 AUTO 10', 'two grades'],
    ['PSA', '9 10', 'two grades'],
    ['PSA', '9.55', 'no such grade'],
    ['PSA', '11', 'no such grade'],
    ['PSA', '', 'nothing'],
    ['PSA', 'raw-A', 'another company'],
    ['RAW', 'Damaged', 'below heavy play'],
    ['RAW', '9', 'a number on an ungraded card'],
    ['RAW', '10', 'a number on an ungraded card'],
    ['RAW', '', 'no condition stated'],
    ['BCCG', '10', 'a scale of its own'],
    ['SGC', '10', 'no prices for this company'],
    ['TAG', '10', 'no prices for this company'],
  ])('%s %j is not a grade: %s', (company, text) => {
    expect(read(company, text)).toBeNull();
  });
});
