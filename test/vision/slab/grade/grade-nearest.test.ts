import { describe, expect, test } from 'vitest';
import { GRADES } from '../../../../src/catalog/grades.ts';
import { editDistance } from '../../../../src/lib/nearly.ts';
import { nearestGradeWords } from '../../../../src/vision/slab/grade/grade-nearest.ts';
import { settleGrade } from '../../../../src/vision/slab/grade/grade-settle.ts';
import { gradeWordsOf } from '../../../../src/vision/slab/grade/grade-words.ts';

test.each([
  ['', '', 0],
  ['mint', 'mint', 0],
  ['', 'mint', 4],
  ['mint', 'mnt', 1],
  ['mint', 'hint', 1],
  ['gem mint', 'sem ant', 3],
  ['kitten', 'sitting', 3],
])('%j and %j differ by %i letters', (a, b, letters) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([letters, letters]);
});

describe('words of a grade that blurred print comes nearest to', () => {
  test.each([
    ['CGC', '|(MNT', 'MINT'],
    ['BGS', 'SEM ANT', 'GEM MINT'],
    ['BGS', 'Nea MINT+', 'NM+'],
    ['BGS', 'NEAR MINT-MNT', 'NM MINT'],
    ['BGS', 'EXCELLENT-NM', 'EX NM'],
    ['CGC', 'NVI/Mint', 'NM MINT'],
    ['CGC', 'PR1STNE', 'PRISTINE'],
    ['CGC', 'EX7NM', 'EX NM'],
    ['PSA', 'NM-BAT', 'NM MINT'],
    ['PSA', 'FX-MT', 'EX MINT'],
    ['CGC', '} GEN WNT', 'GEM MINT'],
    ['BGS', 'wit |', null],
    ['BGS', 'CORNERS', null],
    ['BGS', '0016304227', null],
    ['CGC', '', null],
  ] as const)('%s: %j is %j', (company, read, words) => {
    expect(nearestGradeWords(company, read)).toBe(words);
  });

  test('as printed name their grade with its number, and with no other that has other words', () => {
    for (const row of GRADES.filter(({ company, number }) => company === 'BGS' && number !== null)) {
      const printed = row.grade.replace(/^\S+ /, '');
      const words = nearestGradeWords('BGS', printed)!;
      const settled = (number: number) => settleGrade('BGS', words, [String(number), String(number)]).key;
      if (row.number! > 1 && row.number! < 10) expect([row.key, settled(row.number!)]).toEqual([row.key, row.key]);
      expect(settled(row.number === 3 ? 8 : 3)).not.toBe(row.key);
    }
  });
});

test.each([
  ['EXMT', 'EX-MT'],
  ['NMMT+', 'NM-MT+'],
  ['VGEX', 'VG-EX'],
  ['GEMMT', 'GEM MT'],
  ['GEMMINT', 'GEM MINT'],
])('%s is a grade whose hyphen or gap was missed: %s', (text, words) => {
  const word = { text, confidence: 70, x: 0, y: 0, width: 80, height: 20, ink: 'dark' as const };
  expect(gradeWordsOf({ words: [word], box: word }).map((run) => run.text)).toEqual([words]);
});
