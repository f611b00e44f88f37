import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { certOfSlab } from '../../../src/graded/slab/slab-cert.ts';
import type { BarcodeKind } from '../../../src/vision/barcode.ts';
import type { CertSighting } from '../../../src/vision/slab/cert-reading.ts';

const print = (digits: string, confidence = 95, heightPx = 20): CertSighting => ({
  by: 'print',
  digits,
  confidence,
  heightPx,
});
const barcode = (digits: string, kind: BarcodeKind = 'Code128'): CertSighting => ({ by: 'barcode', digits, kind });
const read = (company: 'PSA' | 'BGS' | 'CGC', ...seen: CertSighting[]) => {
  const { cert, ...rest } = certOfSlab(company, seen);
  return [cert?.cert ?? null, 'shownBy' in rest ? rest.shownBy : rest.problem];
};

describe('a cert in a photo', () => {
  test('is taken when print and barcode agree', () => {
    expect(read('PSA', print('86429728'), barcode('86429728', 'ITF'))).toEqual(['PSA86429728', 'print and barcode']);
  });

  test('is rejected when the barcode says something else, valid or not', () => {
    const prints = [print('86429728'), print('86429728'), print('86429728')];
    expect(read('PSA', ...prints, barcode('96429728', 'ITF'))).toEqual([null, 'contradicted']);
    expect(read('PSA', ...prints, barcode('96429728'))).toEqual([null, 'contradicted']);
    expect(read('PSA', barcode('96429728'), barcode('86429728'))).toEqual([null, 'contradicted']);
  });

  test('of print read twice is rejected against a barcode; one stray reading is not', () => {
    const twice = [print('86429728'), print('86429728')];
    expect(read('PSA', ...twice, barcode('96429728'))).toEqual([null, 'contradicted']);
    expect(read('PSA', ...twice, barcode('96429728', 'ITF'))).toEqual([null, 'contradicted']);
    expect(read('PSA', print('86429999'), barcode('96411728'))).toEqual(['PSA96411728', 'barcode']);
  });

  test('is taken from print alone when it was read alike three times, once surely', () => {
    expect(read('BGS', print('0010538585'), print('0010538585', 0), print('0010538585', 20))).toEqual([
      'BGS0010538585',
      'print',
    ]);
    expect(read('BGS', print('0010538585'), print('0010538585'))).toEqual([null, 'unsure']);
    expect(read('BGS', ...Array(4).fill(print('0010538585', 60)))).toEqual([null, 'unsure']);
  });

  test('of print is the one read most often, whichever was read first; "surely" begins at 85 of 100', () => {
    const prints = [print('12345673'), ...Array(3).fill(print('12345678', 85))];
    expect(read('PSA', ...prints)).toEqual(['PSA12345678', 'print']);
    expect(read('PSA', ...Array(3).fill(print('12345678', 84)))).toEqual([null, 'unsure']);
  });

  test('of print alone has digits of ten pixels in the photo; with a barcode they may be lower', () => {
    expect(read('PSA', ...Array(3).fill(print('86429728', 95, 10)))).toEqual(['PSA86429728', 'print']);
    expect(read('PSA', ...Array(9).fill(print('86429728', 95, 9.9)))).toEqual([null, 'unsure']);
    expect(read('PSA', print('86429728', 95, 5), barcode('86429728', 'ITF'))).toEqual([
      'PSA86429728',
      'print and barcode',
    ]);
  });

  test('of a barcode is shown by print too where six of its digits in a row were read', () => {
    for (const part of ['864297', '429728', '00429728'])
      expect(read('PSA', print(part), barcode('86429728')), part).toEqual(['PSA86429728', 'print and barcode']);
    for (const part of ['86429', '9642979'])
      expect(read('PSA', print(part), barcode('86429728')), part).toEqual(['PSA86429728', 'barcode']);
  });

  test('is not taken from a barcode of other length, nor from print next to such a one', () => {
    const prints = Array(3).fill(print('86429728'));
    for (const stray of [barcode('12345'), barcode('1149595098')]) {
      expect(read('PSA', stray)).toEqual([null, 'unsure']);
      expect(read('PSA', ...prints, stray)).toEqual([null, 'unsure']);
    }
  });

  test('that lacks a digit is not a cert: those that begin with two zeros have ten', () => {
    expect(read('BGS', print('005925491'), print('005925491'), print('005925491'))).toEqual([null, 'unread']);
    expect(read('BGS', print('05925491'), print('05925491'), print('05925491'))).toEqual(['BGS05925491', 'print']);
  });

  test('of CGC is rejected where more digits were seen behind it', () => {
    const prints = Array(3).fill(print('5953359715'));
    expect(read('CGC', ...prints)).toEqual(['CGC5953359715', 'print']);
    expect(read('CGC', ...prints, print('595335971537', 40))).toEqual([null, 'unsure']);
    expect(read('BGS', ...Array(3).fill(print('59533597')), print('595335971', 40))).toEqual(['BGS59533597', 'print']);
  });

  test('is rejected when two readings of the print were each made twice', () => {
    const prints = ['12345678', '12345678', '12345678', '12345673', '12345673'].map((one) => print(one));
    expect(read('PSA', ...prints)).toEqual([null, 'contradicted']);
  });

  test('of a barcode that checks itself is taken alone; of interleaved digits it is not', () => {
    for (const kind of ['Code128', 'QRCode', 'DataMatrix'] as const)
      expect(read('CGC', barcode('6057514179', kind))).toEqual(['CGC6057514179', 'barcode']);
    expect(read('PSA', barcode('86429728', 'ITF'))).toEqual([null, 'unsure']);
  });

  test('with the zero that interleaved digits need is the same cert', () => {
    expect(read('PSA', print('149595098'), barcode('0149595098', 'ITF'))).toEqual([
      'PSA149595098',
      'print and barcode',
    ]);
    expect(read('PSA', barcode('012345678'))).toEqual(['PSA012345678', 'barcode']);
  });

  test('of a length that its company does not print is not a cert', () => {
    expect(read('CGC', ...Array(4).fill(print('671606679')))).toEqual([null, 'unread']);
    expect(read('PSA')).toEqual([null, 'unread']);
  });

  test('is never one that was not read', () => {
    const digits = fc.constantFrom('12345678', '12345679', '123456789', '0123456789');
    const sighting: fc.Arbitrary<CertSighting> = fc.oneof(
      fc.record({
        by: fc.constant('print' as const),
        digits,
        confidence: fc.integer({ min: 0, max: 96 }),
        heightPx: fc.integer({ min: 8, max: 30 }),
      }),
      fc.record({
        by: fc.constant('barcode' as const),
        digits,
        kind: fc.constantFrom<BarcodeKind>('ITF', 'Code128', 'QRCode', 'DataMatrix'),
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom('PSA', 'BGS', 'CGC'), fc.array(sighting, { maxLength: 9 }), (company, seen) => {
        const { cert } = certOfSlab(company as 'PSA', seen);
        if (cert === null) return;
        expect(seen.some((one) => one.digits.replace(/^0/, '') === cert.certNumber.replace(/^0/, ''))).toBe(true);
        const barcodes = new Set(seen.filter(({ by }) => by === 'barcode').map((one) => one.digits.replace(/^0/, '')));
        if (barcodes.size > 0) expect([...barcodes]).toEqual([cert.certNumber.replace(/^0/, '')]);
      }),
    );
  });
});
