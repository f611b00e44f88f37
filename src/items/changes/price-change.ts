import { type Static, Type } from 'typebox';
import { company, nullable, priceRange, usdCents } from '../shapes.ts';

/** A price that a close changed because sales of its card came in or went out. */
export const priceChange = Type.Object({
  day: Type.String({ format: 'date', description: 'The close, a UTC day.' }),
  item: Type.String({ format: 'uuid', description: 'Id of the card.' }),
  gradeToken: Type.String({ description: 'The grade as in addresses: `psa-10`.' }),
  company,
  grade: Type.String(),
  gradeLabel: Type.String(),
  priceBeforeUsdCents: nullable(
    Type.Integer({
      minimum: 1,
      description: 'US cents, as the close of the day before published it; null without a price.',
    }),
  ),
  priceUsdCents: nullable(usdCents),
  priceRange: nullable(priceRange),
  cause: Type.String({
    'x-extensible-enum': ['sales', 'sales_voided', 'other_grade'],
    description:
      'Why: sales of this grade came in; some of it went out (unpaid, corrected, a duplicate); or sales of another grade of the card did either.',
  }),
  salesTaken: Type.Integer({ minimum: 0, description: 'Sales of this grade that the close took in.' }),
  salesVoided: Type.Integer({ minimum: 0, description: 'Sales of this grade that the close took out.' }),
  href: Type.String({ description: 'Site-relative address of the page of this card and grade.' }),
});

export type PriceChange = Static<typeof priceChange>;
