import { Type } from 'typebox';
import { INDEXED_GAMES } from '../catalog/games.ts';
import { cardNumbers, gameSlug, imageAddress, instant, nullable, percentNumber, usdCents } from '../items/shapes.ts';

/** Shapes that several index routes share, declared once. */

export const indexParams = Type.Object({
  game: Type.String({
    minLength: 1,
    maxLength: 400,
    description: `One of ${INDEXED_GAMES.join(', ')}, or the slug of a sub-index.`,
  }),
});

const indexStatus = Type.Enum(['live', 'computing']);

export const calendarDay = Type.String({ format: 'date', description: 'UTC day, `YYYY-MM-DD`.' });

const deltas = Type.Object({
  d7: nullable(percentNumber),
  d30: nullable(percentNumber),
  d365: nullable(percentNumber),
});

/** The card of a constituent or mover; `grade` is a label such as `PSA 10`. */
const cardName = {
  name: Type.String(),
  setName: nullable(Type.String()),
  setCode: nullable(Type.String()),
  ...cardNumbers,
  variation: nullable(Type.String()),
  language: Type.String(),
  grade: Type.String(),
  href: Type.String(),
};

export const indexTile = Type.Object(
  {
    game: gameSlug,
    slug: Type.String({ description: 'How its routes name it: the game, but for a sub-index.' }),
    label: Type.String(),
    value: nullable(Type.Number({ description: 'Level at the last close, two decimals; null while computing.' })),
    base: Type.Integer(),
    deltas,
    constituentCount: Type.Integer(),
    rebalance: Type.Literal('Monthly'),
    sparkline: Type.Array(
      Type.Object({ t: instant, usdCents: Type.Integer({ description: '100 × value.' }), value: Type.Number() }),
      { maxItems: 30, description: 'Daily closes, oldest first.' },
    ),
    newestSaleAt: nullable(
      Type.String({
        format: 'date-time',
        description: 'Newest sale of any member; null where none is known.',
      }),
    ),
    topMovers: Type.Array(Type.Object({ ...cardName, deltaPct: percentNumber }), { maxItems: 3 }),
    updatedAt: nullable(instant),
    status: indexStatus,
  },
  { title: 'IndexTile' },
);

const indexCard = {
  id: Type.String({ format: 'uuid' }),
  ...cardName,
  imageUrl: nullable(imageAddress),
  imageUrlThumb: nullable(imageAddress),
};

const weight = Type.Number({ description: 'Share of the index; the weights of a basket add up to 1.' });

export const indexConstituent = Type.Object(
  {
    rank: Type.Integer({ minimum: 1, description: 'By turnover of the 90 days before the rotation.' }),
    ...indexCard,
    priceUsdCents: nullable(usdCents),
    deltaPct: nullable(percentNumber),
    lastSaleAt: nullable(instant),
    weight,
    contribution: Type.Number({
      description: 'Part of the index’s log move since the rotation: weight × ln(price / price at the rotation).',
    }),
    turnover90UsdCents: Type.Integer({ description: 'Counted sales of the 90 days before the rotation.' }),
  },
  { title: 'IndexConstituent' },
);

export const indexMember = Type.Object(
  { rank: Type.Integer({ minimum: 1 }), ...indexCard, priceUsdCents: usdCents, weight },
  { title: 'IndexMember' },
);
