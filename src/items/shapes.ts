import { type TSchema, Type } from 'typebox';

/** Shapes that several item routes share, declared once. */

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const usdCents = Type.Integer({ minimum: 1, description: 'US cents.' });
export const percentNumber = Type.Number({ description: 'Plain percent with two decimals: -5.33 is minus 5.33 %.' });
export const instant = Type.String({ format: 'date-time', description: 'ISO 8601 with milliseconds and Z.' });
export const confidenceLabel = Type.Enum(['prime', 'high', 'medium', 'low']);
export const score = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Probability that the true value lies within 15 % of the price.',
});

export const priceRange = Type.Object({ low: usdCents, high: usdCents }, { description: '80 % range, US cents.' });

export const attribution = Type.Object({ text: Type.String(), url: Type.String() });

export const cardSummary = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    upstreamItemId: nullable(Type.String()),
    game: Type.String(),
    type: Type.String(),
    name: Type.String(),
    setName: nullable(Type.String()),
    setCode: nullable(Type.String()),
    cardNumber: nullable(Type.String()),
    variation: nullable(Type.String()),
    rarity: nullable(Type.String()),
    language: nullable(Type.String()),
    year: nullable(Type.Integer()),
    imageUrl: nullable(Type.String()),
    imageUrlThumb: nullable(Type.String()),
    company: nullable(Type.String()),
    grade: nullable(Type.String()),
    gradeLabel: nullable(Type.String()),
    priceUsdCents: nullable(usdCents),
    priceRangeUsdCents: nullable(priceRange),
    deltaPct: nullable(percentNumber),
    confidence: nullable(confidenceLabel),
    confidenceScore: nullable(score),
    estimated: Type.Boolean({ description: 'Priced without a sale of its own.' }),
    updatedAt: nullable(instant),
    lastSaleAt: nullable(instant),
    spark: Type.Array(Type.Integer(), { maxItems: 17, description: 'Weekly US cents, oldest first.' }),
    tags: Type.Optional(
      Type.Array(Type.Object({ kind: Type.String(), slug: Type.String(), name: Type.String() }), {
        description: 'Empty when it has none; absent when they could not be read.',
      }),
    ),
    href: Type.String({ description: 'Site-relative address of its page.' }),
  },
  { $id: 'CardSummary', title: 'CardSummary' },
);
