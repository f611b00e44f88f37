import { describe, expect, test } from 'vitest';
import { GRADES, gradeByKey } from '../../../../src/catalog/grades.ts';
import { settleGrade } from '../../../../src/vision/slab/grade/grade-settle.ts';

type Company = 'PSA' | 'BGS' | 'CGC';

describe('the grade that words and readings of its number come to', () => {
  test.each<[Company, string, string[], string | null, string]>([
    ['PSA', 'GEM MT', ['10'], 'psa-10', 'both agree'],
    ['PSA', 'GEM MT', [], 'psa-10', 'words of one grade only'],
    ['PSA', 'GEM MT', ['1', '1'], 'psa-10', 'a ten without its zero'],
    ['PSA', 'GEM MT', ['9', '9'], null, 'the number contradicts'],
    ['PSA', 'GEM MT', ['9'], null, 'one reading contradicts'],
    ['PSA', 'NM-MT', ['8', '9', '9'], null, 'two readings contradict the one that agrees'],
    ['PSA', 'NM-MT', ['3', '8'], 'psa-8', 'one reading agrees, another is a stray'],
    ['PSA', 'NM-MT', ['8'], 'psa-8', 'whole words and one reading'],
    ['PSA', 'NM-MT', [], null, 'its plus may be missed'],
    ['PSA', 'NM-MT', ['8.5'], null, 'one reading against the words'],
    ['PSA', 'NM-MT', ['8.5', '8.5'], 'psa-8-5', 'a plus was missed'],
    ['PSA', 'NM-MT+', ['8.5'], 'psa-8-5', 'both agree'],
    ['PSA', 'NM-MT+', ['8', '8'], null, 'the number contradicts'],
    ['PSA', 'NM', [], null, 'the words of 7 are a part of those of 8'],
    ['PSA', 'NM', ['7'], null, 'one reading and a part of the words'],
    ['PSA', 'NM', ['7', '7'], 'psa-7', 'two readings'],
    ['PSA', 'NM', ['8', '8'], 'psa-8', 'NM-MT of which a part was read'],
    ['PSA', 'NM', ['7', '8'], null, 'the readings differ'],
    ['PSA', 'NM', ['5', '5'], null, 'the number is on no such grade'],
    ['PSA', 'MINT', [], null, 'a part of five grades'],
    ['PSA', 'MINT', ['9', '9'], 'psa-9', 'two readings'],
    ['PSA', 'MINT', ['10', '10'], 'psa-10', 'GEM MINT of which a part was read'],
    ['PSA', 'MT', ['6', '6'], 'psa-6', 'the end of EX-MT'],
    ['PSA', 'MT', ['8', '6', '8'], null, 'NM-MT twice and EX-MT once'],
    ['PSA', 'MT', ['8', '3', '8'], 'psa-8', 'no grade of these words has the stray reading'],
    ['PSA', 'NM-MT', ['8', '8.5'], null, 'a plus may be missed'],
    ['PSA', 'NM-MT', ['8', '8.5', '8'], null, 'a plus or a point may be missed'],
    ['PSA', 'EX', [], null, 'a kind of card too'],
    ['PSA', 'EX', ['5'], null, 'one reading and a part of the words'],
    ['PSA', 'EX', ['5', '5'], 'psa-5', 'two readings'],
    ['PSA', 'EX', ['4', '4'], 'psa-4', 'the end of VG-EX'],
    ['PSA', 'VG', [], null, 'a part of VG-EX'],
    ['PSA', 'VG', ['3', '9', '3'], 'psa-3', 'two readings of three'],
    ['PSA', 'GOOD', [], null, 'its plus may be missed'],
    ['PSA', 'GOOD', ['2', '2'], 'psa-2', 'two readings'],
    ['PSA', 'PR', ['1', '1'], 'psa-1', 'a one and the words of a one'],
    ['CGC', 'PR', ['1', '1'], null, 'the beginning of PRISTINE, and a ten without its zero'],
    ['BGS', 'PR', ['1', '1'], null, 'the beginning of PRISTINE, and a ten without its zero'],
    ['PSA', 'PRISTINE', ['10', '10'], null, 'words that PSA does not print'],
    ['PSA', 'MINT', ['1', '1'], null, 'any upright line passes for a one'],
    ['BGS', 'NEAR MINT+', ['5', '5'], null, 'the 5 of 7.5'],
    ['BGS', 'NEAR MINT+', ['7.5'], 'bgs-7-5', 'both agree'],
    ['BGS', 'NEAR MINT', ['7.5', '7.5'], 'bgs-7-5', 'a plus was missed'],
    ['BGS', 'NEAR MINT-MINT', ['8'], 'bgs-8', 'both agree'],
    ['BGS', 'GEM MINT', ['9.5'], 'bgs-9-5', 'both agree'],
    ['BGS', 'GEM MINT', ['10', '10'], null, 'BGS has no such ten'],
    ['BGS', 'MINT', ['9.5', '9.5'], 'bgs-9-5', 'GEM MINT of which a part was read'],
    ['BGS', 'MINT', ['5', '5'], null, 'the 5 of 9.5'],
    ['BGS', 'PRISTINE', ['10'], null, 'Black Labels have the word too, and one reading may be of a subgrade'],
    ['BGS', 'PRISTINE', ['10', '10'], 'bgs-10', 'two readings'],
    ['BGS', 'PRISTINE BLACK LABEL', [], 'bgs-10-5', 'words of one grade only'],
    ['BGS', 'EXCELLENT-NM', ['6'], 'bgs-6', 'a spelling of Beckett'],
    ['CGC', 'GEM MINT', [], null, '9.5 once, 10 now'],
    ['CGC', 'GEM MINT', ['10'], 'cgc-10-gem-mint', 'both agree'],
    ['CGC', 'GEM MINT', ['9.5'], 'cgc-9-5', 'both agree'],
    ['CGC', 'PRISTINE', [], 'cgc-10', 'words of one grade only'],
    ['CGC', 'MINT', ['9.5', '9.5'], 'cgc-9-5', 'a plus was missed'],
    ['CGC', 'MINT', ['10', '10'], 'cgc-10-gem-mint', 'GEM MINT of which a part was read'],
    ['CGC', 'AUTHENTIC', ['9', '9'], null, 'words of no grade'],
  ])('%s %s %j: %s, %s', (company, words, numbers, key) => {
    expect(settleGrade(company, words, numbers).key).toBe(key);
  });

  test('keeps what was read, also where it comes to nothing', () => {
    expect(settleGrade('PSA', 'NM', [])).toEqual({ words: 'NM', number: null, key: null });
    expect(settleGrade('PSA', 'NM', ['7', '7'])).toEqual({ words: 'NM', number: '7', key: 'psa-7' });
  });

  const rows = GRADES.filter(({ company }) => company !== 'RAW');

  test.each(rows.map(({ key }) => key))('%s is read from its own words and its number read twice', (key) => {
    const row = gradeByKey(key)!;
    for (const spelling of row.spellings) {
      const number = String(row.number);
      expect(settleGrade(row.company as Company, spelling, [number, number]).key, spelling).toBe(key);
    }
  });

  test('no number makes another grade of words than one that has them', () => {
    for (const row of rows) {
      for (const number of ['2', '2.5', '3', '4', '5', '5.5', '6', '7', '7.5', '8', '8.5', '9', '9.5', '10']) {
        for (const spelling of row.spellings) {
          const { key } = settleGrade(row.company as Company, spelling, [number, number]);
          if (key === null || key === row.key) continue;
          const isPart = (it: string) => [it, it.replaceAll('+', '')].some((all) => all.includes(spelling));
          expect(gradeByKey(key)!.spellings.some(isPart), `${spelling} ${number}`).toBe(true);
          expect(gradeByKey(key)!.number).toBe(Number(number));
        }
      }
    }
  });
});
