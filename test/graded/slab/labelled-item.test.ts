import { describe, expect, test } from 'vitest';
import { labelBook } from '../../../src/graded/slab/label-book.ts';
import { labelledItems } from '../../../src/graded/slab/label-catalog.ts';
import { labelledItem } from '../../../src/graded/slab/slab-card.ts';
import { labelText } from '../../../src/vision/slab/label-text.ts';

const mew = {
  id: 'mew',
  game: 'pokemon',
  setName: 'Evolutions',
  setCode: 'xy12',
  number: '53',
  name: 'Mew',
  rarity: 'Rare Holo',
  language: 'English',
  variation: null,
  year: 2016,
} as const;
const book = labelBook([mew].flatMap(labelledItems));
const valuer = { labels: async () => book } as unknown as Parameters<typeof labelledItem>[0]['valuer'];

/** Rows of a photo, as `word~confidence`; words without one are read surely. */
function identify(...rows: string[]) {
  const read = rows.map((row) => ({
    words: row.split(' ').map((word) => {
      const [text, confidence = '95'] = word.split('~');
      return { text: text!, confidence: Number(confidence) };
    }),
  }));
  return labelledItem({ valuer }, labelText(read), new AbortController().signal);
}

describe('the label of a photo that names no card', () => {
  test('is shown with the words that the catalog does not explain', async () => {
    const { itemId, why } = await identify('2016 POKEMON EVOLUTIONS #53', 'MEW-HOLO TOYS PLANET');
    expect(itemId).toBeNull();
    expect(why).toBe('No card was matched to the label: the catalog does not explain all of its words (toy, planet).');
  });

  test('is shown without words that were hardly read', async () => {
    const { itemId, why } = await identify('2016 POKEMON EVOLUTIONS #53', 'MEW-HOLO PLANET zrqvx~45');
    expect([itemId, why]).toEqual([null, expect.stringMatching(/all of its words \(planet\)\.$/)]);
    expect(why).not.toMatch(/zrqvx/i);
  });

  test('is illegible where only such words are unexplained', async () => {
    const { itemId, why } = await identify('2016 POKEMON EVOLUTIONS #53', 'MEW-HOLO zrqvx~45');
    expect([itemId, why]).toEqual([null, 'No card was matched to the label: a part of it is illegible.']);
  });

  test('has nothing to show where it names one', async () => {
    expect(await identify('2016 POKEMON EVOLUTIONS #53', 'MEW-HOLO')).toEqual({ itemId: 'mew', why: '' });
  });
});
