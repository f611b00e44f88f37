import type { CatalogFormat } from '../record.ts';
import { isBandaiProduct } from './bandai.ts';
import { readOnePieceList } from './one-piece-list.ts';
import { productCode } from './one-piece-printings.ts';

/** The One Piece list of Limitless: a file a product, with names and release dates in packs.json. */
export const limitless: CatalogFormat = {
  name: 'limitless',
  game: 'one-piece',
  about: 'Limitless One Piece list: cards/*.json, one a product, next to packs.json',
  read: (paths) =>
    readOnePieceList(paths, {
      source: 'limitless',
      isProduct: (key) => key !== '' && !isBandaiProduct(key),
      codeOf: productCode,
      nameOf: (product) => productCode(product) ?? product.replaceAll('-', ' '),
      isUnsure: () => false,
      aside: ['products.json', 'summary.json'],
    }),
};
