import { type TSchema, Type } from 'typebox';
import { UNSUPPORTED_GRADERS } from '../catalog/cert.ts';
import { CARD_TYPES, GAMES } from '../catalog/games.ts';
import { FACETS } from '../catalog/tags/tag.ts';

/** Shapes that several item routes share, declared once. */

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

export const usdCents = Type.Integer({ minimum: 1, description: 'US cents.' });
export const percentNumber = Type.Number({ description: 'Plain percent with two decimals: -5.33 is minus 5.33%.' });
export const instant = Type.String({ format: 'date-time', description: 'ISO 8601 with milliseconds and Z.' });
export const imageAddress = Type.String({ format: 'uri', description: 'Absolute address of a picture.' });
/** No catalog has two sizes above the thumbnail, so it is null until one has. */
export const largerImage = nullable(
  Type.String({
    format: 'uri',
    description: 'Absolute address of a picture larger than `imageUrl`; null without one.',
  }),
);
export const gameSlug = Type.Enum([...GAMES]);
const cardType = Type.Enum(Object.values(CARD_TYPES));
/** Companies whose grades are priced. */
export const company = Type.Enum(['PSA', 'BGS', 'CGC', 'RAW'], { description: '`RAW`: ungraded.' });
/** Open: a client takes a value that it does not know as one more of the kind. */
export const openEnum = (known: readonly string[]) => Type.String({ 'x-extensible-enum': known });
export const anyCompany = openEnum(['PSA', 'BGS', 'CGC', 'RAW', ...UNSUPPORTED_GRADERS]);
const tagKind = openEnum(FACETS);
export const bucket = openEnum(['public', 'partner']);
export const category = openEnum(['public', 'blockchain', 'partner', 'internal']);
export const confidenceLabel = Type.Enum(['prime', 'high', 'medium', 'low']);
export const score = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Probability that the true value is within 15% of the price.',
});

export const priceRange = Type.Object(
  { low: usdCents, high: usdCents },
  { description: '80% range of the value, US cents.' },
);
/** Null where the price is null, and on days that an earlier version of the model published. */
export const nextSaleRange = nullable(
  Type.Object(
    { low: usdCents, high: usdCents },
    {
      description:
        '80% range of the next sale, US cents: the chance that it falls into it, which `/v1/accuracy` compares with what sold. It contains the range of the value.',
    },
  ),
);
export const unconfirmedMove = Type.Boolean({
  description:
    'The last move of the price rests on one source and day that surprised. Until a second sale confirms it, both ranges also cover the price before it.',
});

export const attribution = Type.Object({ text: Type.String(), url: Type.String() });

export const cardNumbers = {
  cardNumber: nullable(Type.String({ description: 'Number within the set: `060` of OP05-060 in the set OP05.' })),
  printedNumber: nullable(Type.String({ description: 'The number as printed on the card.' })),
};

export const priceDay = nullable(
  Type.String({ format: 'date', description: 'The day whose close the price is of; null without a price.' }),
);

/** Which card it is. */
export const cardIdentity = {
  id: Type.String({ format: 'uuid' }),
  upstreamItemId: nullable(Type.String()),
  game: gameSlug,
  type: cardType,
  name: Type.String(),
  setName: nullable(Type.String()),
  setCode: nullable(Type.String()),
  ...cardNumbers,
  variation: nullable(Type.String()),
};

export const withheldReason = Type.Optional(
  Type.Enum(['identity_suspect'], {
    description: 'Present where the price is withheld: its sales may be those of another card, as `/v1/audit` shows.',
  }),
);

export const cardSummary = Type.Object(
  {
    ...cardIdentity,
    rarity: nullable(Type.String()),
    language: nullable(Type.String()),
    year: nullable(Type.Integer()),
    imageUrl: nullable(imageAddress),
    imageUrlThumb: nullable(imageAddress),
    company: nullable(company),
    grade: nullable(Type.String()),
    gradeLabel: nullable(Type.String()),
    priceUsdCents: nullable(usdCents),
    priceRangeUsdCents: nullable(priceRange),
    nextSaleRangeUsdCents: nextSaleRange,
    unconfirmedMove,
    deltaPct: nullable(percentNumber),
    confidence: nullable(confidenceLabel),
    confidenceScore: nullable(score),
    estimated: Type.Boolean({ description: 'Priced without a sale of its own.' }),
    asOf: priceDay,
    updatedAt: nullable(instant),
    lastSaleAt: nullable(instant),
    spark: Type.Array(Type.Integer(), { maxItems: 17, description: 'Weekly US cents, oldest first.' }),
    reason: withheldReason,
    tags: Type.Optional(
      Type.Array(Type.Object({ kind: tagKind, slug: Type.String(), name: Type.String() }), {
        description: 'Empty when it has none; absent when they could not be read.',
      }),
    ),
    href: Type.String({ description: 'Site-relative address of its page.' }),
  },
  { $id: 'CardSummary', title: 'CardSummary' },
);
