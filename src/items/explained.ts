import { type Static, Type } from 'typebox';
import { gradeByKey } from '../catalog/grades.ts';
import type { Config } from '../config.ts';
import { MODEL_VERSION } from '../pricing/model/params.ts';
import type { Explanation } from '../pricing/read/explanation.ts';
import { SALE_TYPES } from '../sales/sale.ts';
import { company, instant, nullable, usdCents } from './shapes.ts';

const influence = Type.Number({
  description: 'Share of the price that follows this: when it rises by 1%, the price rises by so many percent.',
});

const influentialSale = Type.Object({
  soldAt: instant,
  company,
  grade: Type.String(),
  gradeLabel: Type.String(),
  priceUsdCents: usdCents,
  source: Type.String(),
  displayName: Type.String(),
  saleType: Type.Enum([...SALE_TYPES]),
  sourceUrl: nullable(Type.String()),
  voided: Type.Boolean({ description: 'Whether it was voided since the last close: the next one takes it out.' }),
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'How far the model believed the sale.' }),
  influence,
  priceBeforeUsdCents: nullable(usdCents),
});

const explained = Type.Object(
  {
    shares: Type.Object(
      { ownSales: influence, otherGrades: influence, setAndGame: influence },
      { description: 'They add up to 1.' },
    ),
    lastOwnSale: nullable(
      Type.Object(
        { soldAt: instant, priceUsdCents: usdCents },
        { description: 'The newest sale at this grade that counts; null without one.' },
      ),
    ),
    marketSinceLastSalePct: nullable(
      Type.Number({ description: "Move of the game's market since the card's last sale at this grade, in percent." }),
    ),
    sales: Type.Array(influentialSale, { description: 'The sales with the largest influence, at most five.' }),
  },
  { title: 'Explanation' },
);
export type Explained = Static<typeof explained>;

/** What the price of a card at a grade is made of; null without a price. */
export const explanation = nullable(explained);

/** Which of the shares is the largest; null without a price. */
export const basis = nullable(
  Type.Enum(['own_sales', 'other_grades', 'set_and_game'], { description: 'The largest share of the price.' }),
);

/** Basis and explanation as the wire shows them. */
export function explanationBody(found: Explanation | null): {
  basis: Explanation['basis'] | null;
  explanation: Explained | null;
} {
  if (found === null) return { basis: null, explanation: null };
  const { basis, lastOwnSale, ...made } = found;
  const soldAt = ({ soldAtMs }: { soldAtMs: number }) => new Date(soldAtMs).toISOString();
  const sales = made.sales.map(({ gradeKey, soldAtMs, ...sale }) => {
    const { company, grade, label: gradeLabel } = gradeByKey(gradeKey)!;
    return { soldAt: soldAt({ soldAtMs }), company, grade, gradeLabel, ...sale };
  });
  const last = lastOwnSale && { soldAt: soldAt(lastOwnSale), priceUsdCents: lastOwnSale.priceUsdCents };
  return { basis, explanation: { ...made, lastOwnSale: last, sales } };
}

/** Where the method of a price is explained, in the version that computed it. */
export function methodologyUrl({ baseUrl }: Config): string {
  return `${baseUrl}/methodology/model?version=${MODEL_VERSION}#2-a-day`;
}
