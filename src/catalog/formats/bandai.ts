import type { CatalogFormat } from '../record.ts';
import { isSharedPromoId } from './bandai-promos.ts';
import { readOnePieceList } from './one-piece-list.ts';
import { productCode } from './one-piece-printings.ts';

/** Bandai's official English One Piece card list as vegapull saves it: a file a product, with names in packs.json. */
export const bandai: CatalogFormat = {
  name: 'bandai',
  game: 'one-piece',
  about: 'official One Piece card list (vegapull): OP-01.json and so on, next to packs.json',
  read: (paths) =>
    readOnePieceList(paths, {
      source: 'bandai',
      isProduct: isBandaiProduct,
      codeOf,
      nameOf: (product) => product,
      // A list of promotion cards does not say what a card came in: without that, it may be imported twice.
      isUnsure: (id, product) => codeOf(product) === null && !isSharedPromoId(id),
      aside: ['manifest.json'],
    }),
};

/** True for `OP-05` and `PROMOTION-CARD`; other lists write `OP05` and `promotion-pack-01`. */
export function isBandaiProduct(key: string): boolean {
  return /^[A-Z]{2,}\d*-/.test(key);
}

/** `OP-05` is printed so; the two lists of promotion cards have words for a key, no code. */
function codeOf(product: string): string | null {
  return productCode(product) === null ? null : product;
}
