import { Type } from 'typebox';
import { becauseOf } from '../../lists/line-reasons.ts';
import { figure, figureOf } from '../card-shapes.ts';
import {
  atGrade,
  cardAnswer,
  cardParameter,
  closeDay,
  gradeParameter,
  gradeWithin,
  locateCard,
  onParameter,
} from '../locate-card.ts';
import { tool } from '../tool.ts';

/** `price`. */
export const priceTool = tool({
  name: 'price',
  title: 'Price of a card',
  description:
    'The reference price of a printing at a grade, or at every grade, as a close published it: US cents, the 80% range of the value, the range of the next sale, how sure it is, and the page to cite. Costs 1 unit, 1 more without `on`, 1 more by words.',
  input: Type.Object(
    { card: cardParameter, grade: Type.Optional(gradeParameter), on: onParameter },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...cardAnswer(['priced', 'no_price']),
    closeOf: Type.Optional(closeDay),
    prices: Type.Optional(Type.Array(figure, { description: 'Highest first; one, where a grade was named.' })),
  }),
  async call(api, sent) {
    const located = await locateCard(api, sent);
    if ('status' in located) return located;
    const { card, overview, on } = located;
    const grade = sent.grade ?? gradeWithin(sent.card);
    const found = grade === undefined ? null : atGrade(located, grade);
    if (typeof found === 'string') return { status: 'no_price' as const, because: found, card, closeOf: on };
    const entries = found === null ? overview.grades.filter((one) => one.priceUsdCents !== null) : [found.entry];
    if (entries.length === 0) {
      const reason = overview.grades.find((one) => one.reason !== undefined)?.reason;
      const because = reason === undefined ? 'This card has no price at any grade yet.' : becauseOf(reason);
      return { status: 'no_price' as const, because, card, closeOf: on };
    }
    const prices = entries.map((entry) => figureOf(entry, { baseUrl: api.baseUrl, on }));
    return { status: 'priced' as const, because: null, card, closeOf: on, prices };
  },
});
