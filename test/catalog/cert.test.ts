import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { graderOf, readCert } from '../../src/catalog/cert.ts';
import { testData } from '../support/test-data.ts';

const file = testData('sales', 'vaulted-slabs', 'cards.json');
const slabs: { gradingID: string; gradingCompany: string }[] =
  file === null ? [] : JSON.parse(readFileSync(file, 'utf8'));

const digits = fc.stringMatching(/^\d{5,20}$/);
const spellings: [prefix: string, company: string][] = [
  ['', 'PSA'],
  ['PSA', 'PSA'],
  ['BGS', 'BGS'],
  ['BECKETT', 'BGS'],
  ['BVG', 'BGS'],
  ['BCCG', 'BGS'],
  ['CGC', 'CGC'],
  ...['SGC', 'TAG', 'ACE', 'HGA', 'GMA', 'AGS', 'ARS', 'MNT'].map((grader): [string, string] => [grader, grader]),
];

describe('a cert', () => {
  test('is read with any prefix, in any case, with a space, a dash or neither', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...spellings),
        fc.constantFrom('', ' ', '-'),
        digits,
        fc.boolean(),
        ([prefix, company], between, number, lower) => {
          const text = (lower ? prefix.toLowerCase() : prefix) + between + number;
          expect(readCert(text)).toEqual({
            kind: ['PSA', 'BGS', 'CGC'].includes(company) ? 'cert' : 'unsupported',
            company,
            certNumber: number,
            key: number.replace(/^0+/, '') || '0',
            cert: company + number,
          });
        },
      ),
    );
  });

  test('without a prefix is a cert of PSA', () => {
    expect(readCert('149595098')).toMatchObject({ company: 'PSA', cert: 'PSA149595098' });
  });

  test('is looked up without its leading zeros, and returned with them', () => {
    expect(readCert('BGS 0016707250')).toMatchObject({ certNumber: '0016707250', key: '16707250' });
    expect(readCert('PSA00000')).toMatchObject({ certNumber: '00000', key: '0' });
  });

  test('reads back as itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...spellings), digits, ([prefix], number) => {
        const first = readCert(prefix + number);
        if (first.kind === 'invalid') throw new Error('unread');
        expect(readCert(first.cert)).toEqual(first);
      }),
    );
  });

  test('is read without the space around it', () => {
    for (const text of ['PSA12345 ', ' PSA12345', '\tPSA12345\n']) expect(readCert(text)).toEqual(readCert('PSA12345'));
    expect(readCert(' TAG a1234b56 ')).toEqual(readCert('TAG a1234b56'));
  });

  test('of TAG may hold letters, and no word alone is one', () => {
    expect(readCert('tag-a1234b56')).toMatchObject({ kind: 'unsupported', company: 'TAG', certNumber: 'A1234B56' });
    for (const number of ['A1234B56', 'AB12345', '12345A']) {
      expect(readCert(`TAG${number}`), number).toMatchObject({ company: 'TAG', certNumber: number });
      expect(readCert(`x TAG${number}`), number).toEqual({ kind: 'invalid' });
      expect(readCert(`TAG ${number}!`), number).toEqual({ kind: 'invalid' });
    }
    expect(readCert('TAG TEAMUP')).toEqual({ kind: 'invalid' });
  });

  test.each([
    '',
    '1.40102E+12',
    '1234',
    '123456789012345678901',
    'PSA',
    'PSA--12345',
    'PSA  12345',
    'PSA_12345',
    'PSA 12345 6',
    'XYZ12345',
    'PSA12345A',
    '١٢٣٤٥٦',
    '#4 Dark Charizard',
    'constructor12345',
  ])('is not %j', (text) => {
    expect(readCert(text)).toEqual({ kind: 'invalid' });
  });

  test('never throws, and what is read has 5 to 20 digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const reading = readCert(text);
        if (reading.kind === 'cert') expect(reading.certNumber).toMatch(/^\d{5,20}$/);
      }),
    );
  });
});

test('a grader is known by each of its names, in any case, with space around it, and no other word is one', () => {
  for (const [name, grader] of spellings.slice(1)) {
    for (const word of [name, ` ${name.toLowerCase()} `]) expect(graderOf(word), word).toBe(grader);
  }
  for (const word of ['', 'XYZ', 'PSAX', 'constructor']) expect(graderOf(word), word).toBeNull();
});

describe.skipIf(file === null)('over real slabs', () => {
  test('every cert number is read but the 20 that a spreadsheet rounded and the one that is a name', () => {
    const unread = slabs.map(({ gradingID }) => gradingID).filter((id) => readCert(id).kind === 'invalid');
    expect(unread.filter((id) => /^1\.401\d+E\+12$/.test(id))).toHaveLength(20);
    expect(unread).toHaveLength(21);
  });

  test('170 with leading zeros are found with and without them', () => {
    const zeros = slabs.filter(({ gradingID }) => gradingID.startsWith('0'));
    expect(zeros).toHaveLength(170);
    for (const { gradingCompany, gradingID } of zeros) {
      const printed = readCert(gradingCompany + gradingID);
      const bare = readCert(gradingCompany + gradingID.replace(/^0+/, ''));
      if (printed.kind === 'invalid' || bare.kind === 'invalid') throw new Error(gradingID);
      expect(bare.key).toBe(printed.key);
      expect(printed.certNumber).toBe(gradingID);
    }
  });
});
