import { describeCard } from '../../../src/vision/descriptor.ts';
import type { RgbPixels } from '../../../src/vision/pictures/dominant-colors.ts';
import type { CatalogCard, RecognitionCatalog } from '../../../src/vision/recognise/catalog.ts';
import { cosine } from '../cards.ts';

/** A catalog of pictures in memory, each of one item; items of the same pixels share a picture. */
export function pictureCatalog(
  pictures: ReadonlyMap<string, RgbPixels>,
  others: readonly CatalogCard[] = [],
  numbers: ReadonlyMap<string, string> = new Map(),
): RecognitionCatalog {
  const vectors = new Map([...pictures].map(([itemId, pixels]) => [itemId, describeCard(pixels)]));
  const nameOf = new Map<RgbPixels, string>();
  const own = [...pictures].map(([itemId, pixels]): CatalogCard => {
    if (!nameOf.has(pixels)) nameOf.set(pixels, itemId);
    return { itemId, picture: nameOf.get(pixels)!, card: itemId, number: numbers.get(itemId) ?? null };
  });
  const cards = [...own, ...others];
  return {
    async nearest(vector, k) {
      const hits = [...vectors].map(([itemId, other]) => ({ itemId, score: cosine(vector, other) }));
      return hits.sort((a, b) => b.score - a.score).slice(0, k);
    },
    async cards(itemIds) {
      const given = own.filter(({ itemId }) => itemIds.includes(itemId));
      return cards.filter((one) =>
        given.some(({ card, picture }) => card === one.card || (picture !== null && picture === one.picture)),
      );
    },
    picture: async (picture) => pictures.get(picture) ?? null,
  };
}
