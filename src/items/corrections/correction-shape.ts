import { type Static, Type } from 'typebox';
import { cardNumbers, gameSlug, nullable, usdCents } from '../shapes.ts';

const day = (meaning: string) => nullable(Type.String({ format: 'date', description: `${meaning}, \`YYYY-MM-DD\`.` }));

/** Something that would change a published number today. */
export const correction = Type.Object({
  id: Type.String(),
  at: Type.String({ format: 'date-time', description: 'When it became known.' }),
  cause: Type.String({
    'x-extensible-enum': ['sale_voided', 'sale_corrected', 'mapping', 'report', 'model', 'import_undone'],
    description:
      '`mapping`: a sale was moved to another card; both cards have an entry. `model`: of every price. `import_undone`: a sale was taken out with the whole import that it came in.',
  }),
  item: nullable(Type.String({ format: 'uuid', description: 'Id of the card; null where it is of no single card.' })),
  card: nullable(
    Type.Object({
      game: gameSlug,
      name: Type.String(),
      setName: nullable(Type.String()),
      setCode: nullable(Type.String()),
      ...cardNumbers,
      variation: nullable(Type.String()),
      language: nullable(Type.String()),
    }),
  ),
  gradeLabel: nullable(Type.String()),
  fromDay: day('First of the restated days, whose prices would differ today: that of the sale'),
  toDay: day('Last of the restated days: the one before the correction takes effect'),
  priceBeforeUsdCents: nullable(usdCents),
  priceAfterUsdCents: nullable(
    Type.Integer({ minimum: 1, description: 'US cents at the next close; null before it, and without a price.' }),
  ),
  note: nullable(Type.String({ description: 'What happened, in English.' })),
  href: Type.String({ description: 'Site-relative address of the page that it is about.' }),
});

export type PublishedCorrection = Static<typeof correction>;
