import { describe, expect, test } from 'vitest';
import { labelText } from '../../../src/vision/slab/label-text.ts';

/** `word~confidence` as the reader gives them. */
function row(text: string) {
  const words = text.split(' ').map((word) => {
    const [read, confidence] = word.split('~');
    return { text: read!, confidence: Number(confidence) };
  });
  return { words };
}

describe('what people are shown of a label', () => {
  test.each([
    ['2021~95 POKEMON~95 EVOLVING~96 SKIES~96 #215~96', '2021 POKEMON EVOLVING SKIES #215'],
    ['GEM~95 MT~96', 'GEM MT'],
    ['86429728~66', '86429728'],
    ['CERT~96 i~42 FIED~93', 'CERT FIED'],
    ['1st~92 Edition~62', '1st Edition'],
  ])('%s: %s', (read, shown) => {
    expect(labelText([row(read)]).legible).toEqual([shown]);
  });

  test.each([
    ['letters of noise', 'RI~30'],
    ['short words that noise has too', 'a~43 4~63 ED~62'],
    ['a row of rubble with one word in it', 'ity~38 FRE~36 eR~35 of~90'],
    ['signs', '|~90 ~~95'],
    ['a word at the threshold', 'FOSSIL~59'],
    ['nothing', ''],
  ])('%s is left out', (_case, read) => {
    expect(labelText([row(read)]).legible).toEqual([]);
  });

  test('rows keep their order', () => {
    expect(labelText([row('PSA~96'), row('x~30'), row('MINT~90')]).legible).toEqual(['PSA', 'MINT']);
  });
});

describe('what is matched of a label', () => {
  test('keeps doubtful words of legible rows', () => {
    expect(labelText([row('ONE~96 PIECE~96 ROMANCE~93 DAWN#OP01-003~51')])).toEqual({
      rows: ['ONE PIECE ROMANCE DAWN#OP01-003'],
      legible: ['ONE PIECE ROMANCE'],
      hasGap: false,
    });
  });

  test.each([
    ['between legible rows', ['2016~95', 'ZND~40 PL.PM.LG~45', 'MEW~96'], true],
    ['above them', ['RIBBLE~30', '2016~95', 'MEW~96'], false],
    ['below them', ['2016~95', 'MEW~96', 'wr~41 Pr~35 LOGES~33'], false],
    ['of an edge', ['2016~95', 'a~43 4~63', 'MEW~96'], false],
    ['alone', ['RIBBLE~30'], false],
  ])('an illegible row %s', (_where, rows, hasGap) => {
    expect(labelText(rows.map(row)).hasGap).toBe(hasGap);
  });
});
