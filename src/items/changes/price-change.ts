import { type Static, Type } from 'typebox';
import { company, nullable, priceRange, usdCents } from '../shapes.ts';

/** A price that a close changed. */
export const priceChange = Type.Object({
  day: Type.String({ format: 'date', description: 'The close, a UTC day.' }),
  id: Type.String({ format: 'uuid', description: 'Id of the card.' }),
  gradeToken: Type.String({ description: 'The grade as in addresses: `psa-10`.' }),
  company,
  grade: Type.String(),
  gradeLabel: Type.String(),
  previousUsdCents: nullable(
    Type.Integer({
      minimum: 1,
      description: 'US cents, as the close of the day before published it; null without a price.',
    }),
  ),
  priceUsdCents: nullable(usdCents),
  priceRange: nullable(priceRange),
  cause: Type.String({
    'x-extensible-enum': ['sale', 'void', 'market', 'catalog', 'withdrawn'],
    description:
      'Why: sales of the card came in; one of them went out (unpaid, corrected, a duplicate); it only followed its market (with `market=1`); the card came back to the catalog, or was withdrawn from it.',
  }),
  salesTaken: Type.Integer({ minimum: 0, description: 'Sales of this grade that the close took in.' }),
  salesVoided: Type.Integer({ minimum: 0, description: 'Sales of this grade that the close took out.' }),
  href: Type.String({ description: 'Site-relative address of the page of this card and grade.' }),
});

export type PriceChange = Static<typeof priceChange>;
