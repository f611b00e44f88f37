import { describe, expect, test } from 'vitest';
import { readTitle } from '../../../src/sales/match/read-title.ts';

function read(title: string): string {
  const { company, grade, problem, conditionAssumed } = readTitle(title).grading;
  return [company, grade?.key ?? problem, conditionAssumed ? 'assumed' : ''].filter(Boolean).join(' ');
}

describe('the grade a title states', () => {
  test.each([
    ['Charizard 4/102 Base Set PSA 9', 'PSA psa-9'],
    ['PSA10 Charizard 4/102', 'PSA psa-10'],
    ['Charizard PSA GEM MINT 10', 'PSA psa-10'],
    ['Charizard Gem Mint 10 PSA', 'PSA psa-10'],
    ['charizard psa 10 gem mintpsa population 1 of 11', 'PSA psa-10'],
    ['Charizard PSA Mint 9 Base', 'PSA psa-9'],
    ['Charizard PSA 8.5 NM-MT+', 'PSA psa-8-5'],
    ['1999 Charizard PSA 5 EX', 'PSA psa-5'],
    ['Scyther EX PSA 9 EX Team Rocket Returns', 'PSA psa-9'],
    ['Charizard Beckett 9.5 Gem Mint', 'BGS bgs-9-5'],
    ['Charizard BGS 10 Pristine', 'BGS bgs-10'],
    ['Charizard BGS 10 Black Label', 'BGS bgs-10-5'],
    ['Charizard BGS Pristine 10 Black Label', 'BGS bgs-10-5'],
    ['Charizard CGC 10 Pristine', 'CGC cgc-10'],
    ['CGC PRISTINE 10 Charizard', 'CGC cgc-10'],
    ['Charizard CGC Gem Mint 10', 'CGC cgc-10-gem-mint'],
    ['Charizard CGC 9.5 Gem Mint', 'CGC cgc-9-5'],
    ['charizard cgc 9.5 mint+', 'CGC cgc-9-5'],
    ['Charizard CGC 10 gemmint', 'CGC cgc-10-gem-mint'],
    ['charizard cgc 10 gem mintcgc population 5', 'CGC cgc-10-gem-mint'],
    ['Charizard BVG 8.5', 'BGS bgs-8-5'],
    ['Charizard PSA Gem Mint Base', 'PSA psa-10'],
    ['Charizard BGS Black Label Base', 'BGS bgs-10-5'],
    ['PSA 10 Charizard PSA 10.0', 'PSA psa-10'],
    ['Charizard PSA 9. Base', 'PSA psa-9'],
    ['Charizard Mint 4 PSA 9', 'PSA psa-9'],
    ['Charizard PSA 9 Excellent Base', 'PSA psa-9'],
    ['Charizard PSA 9, not BGS', 'PSA psa-9'],
    ['Umbreon VMAX 215/203 (TAG 8 NM)', 'TAG company_unsupported'],
    ['Leafeon ex 200/187 (TAG 10, not PSA)', 'TAG company_unsupported'],
    ['Charizard SGC 9.5', 'SGC company_unsupported'],
    ['Charizard 4/102 Near Mint', 'RAW raw-A'],
    ['Charizard 4/102 LP', 'RAW raw-B'],
    ['Charizard 4/102 MP', 'RAW raw-C'],
    ['Charizard 4/102 heavily played', 'RAW raw-D'],
    ['Topps Judge auto 10', 'RAW raw-A assumed'],
    ['Charizard Tag Base', 'RAW raw-A assumed'],
    ['Tag Team Muk 61/214', 'RAW raw-A assumed'],
    ['Tag Bolt Muk 61/214', 'RAW raw-A assumed'],
    ['Pikachu 1999 #25 Base', 'RAW raw-A assumed'],
    ['Charizard 4/102 Base Set', 'RAW raw-A assumed'],
    ['Muk & Alolan Muk GX Tag Team 61/214', 'RAW raw-A assumed'],
    ['Portgas D. Ace OP02-013', 'RAW raw-A assumed'],
  ])('%j: %s', (title, reading) => {
    expect(read(title)).toBe(reading);
  });

  test.each([
    ['Charizard CGC 10', 'CGC grade_ambiguous', 'Gem Mint or Pristine'],
    ['Charizard BGS 10', 'BGS grade_ambiguous', 'Pristine or Black Label'],
    ['Charizard CGC 10 Perfect', 'CGC grade_ambiguous', 'Pristine slabs are called so'],
    ['Charizard CGC Perfect', 'CGC grade_ambiguous', 'Pristine slabs are called so'],
    ['Charizard CGC Perfect 10 Pristine', 'CGC grade_ambiguous', 'both are said'],
    ['Charizard 4/102 raw PSA9', 'PSA grade_ambiguous', 'ungraded and graded'],
    ['CGC 10 Gem Mint or Pristine', 'CGC grade_ambiguous', 'both are said'],
    ['LAPRAS BGS 9. POKEMON', 'BGS grade_ambiguous', 'the half is cut off'],
    ['Charizard PSA 9 or PSA 10', 'PSA grade_ambiguous', 'two grades'],
    ['Charizard PSA 9 BGS 9.5 crossover', 'grade_ambiguous', 'two graders'],
    ['Charizard PSA 10? mint', 'PSA grade_ambiguous', 'a hope'],
    ['Charizard ready to be graded like PSA 10', 'PSA grade_ambiguous', 'a hope'],
    ['Charizard PSA 9 GEM MINT', 'PSA grade_ambiguous', 'the words are of a 10'],
    ['Charizard PSA Base Set', 'grade_unread', 'no grade at all'],
    ['Charizard slab', 'grade_unread', 'no grader'],
    ['Charizard Gem Mint', 'grade_unread', 'no grader'],
    ['Charizard KSA Base Set', 'grade_unread', 'no grade at all'],
    ['TAG Charizard 4/102', 'grade_unread', 'worded as a slab label'],
    [' TAG Charizard 4/102', 'grade_unread', 'worded as a slab label'],
    [' 1999 #25B Pikachu', 'grade_unread', 'worded as a slab label'],
    ['1999 #25B Pikachu Silver Poker Set', 'grade_unread', 'worded as a slab label'],
    ['charizard cgc auth', 'CGC outside_scale', 'Authentic'],
    ['1969 Topps #311 PSA 3 DNA AUTO 10', 'PSA outside_scale', 'a graded autograph'],
    ['Mantle PSA 8 OC', 'PSA outside_scale', 'a qualifier'],
    ['Charizard 4/102 damaged', 'RAW outside_scale', 'below heavy play'],
    ['Charizard 4/102 damage', 'RAW outside_scale', 'below heavy play'],
    ['Charizard 4/102 crease', 'RAW outside_scale', 'below heavy play'],
    ['Charizard 4/102 isnt mint', 'RAW grade_ambiguous', 'a condition denied'],
    ['Charizard 4/102 NM/LP', 'RAW grade_ambiguous', 'two conditions'],
  ])('%j is not a grade: %s', (title, reading) => {
    expect(read(title)).toBe(reading);
  });

  test('a grade is never taken for the card number', () => {
    expect(readTitle('Charizard Base Set PSA 9').numbers).toEqual([]);
    expect(readTitle('Charizard Base Set PSA 10 4').numbers).toEqual([{ key: '4', strong: false }]);
  });

  test.each(['pop 25', 'pop25', 'Population 25', 'PSA pop: 25', 'pop.#25', 'pop 1 of 25', 'pop 25 of 112'])(
    'neither is how many slabs there are: %s',
    (population) => {
      expect(readTitle(`Charizard PSA 10 ${population}`).numbers).toEqual([]);
      expect(readTitle(`${population} Charizard PSA 10`).numbers).toEqual([]);
    },
  );
});
