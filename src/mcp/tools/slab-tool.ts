import { Type } from 'typebox';
import { type GradedLookup, gradedLookup, type Reason } from '../../graded/shapes.ts';
import { becauseOf } from '../../lists/line-reasons.ts';
import { figure, figureOf, namedCard, namedCardOf } from '../card-shapes.ts';
import { closeDay, closedDayOf, overviewOn } from '../locate-card.ts';
import { tool } from '../tool.ts';

/** `slab`. */
export const slabTool = tool({
  name: 'slab',
  title: 'A slab by its cert',
  description:
    'The card and grade of a graded slab by its cert number, and its reference price as the last close published it; or why it has none: voided, unknown, or a card that only the slab itself shows. Costs 1 unit, 3 with a price.',
  input: Type.Object(
    {
      cert: Type.String({
        minLength: 5,
        maxLength: 40,
        description: 'Grader and number, such as `PSA 90000012`; digits alone are read as PSA.',
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    status: Type.Enum(['priced', 'no_price']),
    reason: Type.Optional(gradedLookup.properties.reason),
    because: Type.Union([Type.String(), Type.Null()], { description: 'Why there is no price, in a sentence.' }),
    ...Type.Pick(gradedLookup, ['cert', 'company', 'gradeLabel']).properties,
    card: Type.Optional(namedCard),
    closeOf: Type.Optional(closeDay),
    price: Type.Optional(figure),
  }),
  async call(api, sent) {
    const lookup = await api.get<GradedLookup>(`/v1/graded/${encodeURIComponent(sent.cert.trim())}`);
    const { cert, company, gradeLabel, reason } = lookup;
    const card = lookup.card === undefined ? undefined : namedCardOf(lookup.card, api.baseUrl);
    const slab = { cert, company, gradeLabel, ...(card === undefined ? {} : { card }) };
    if (reason !== undefined || card === undefined)
      return { status: 'no_price' as const, ...(reason ? { reason } : {}), because: whyNot(lookup), ...slab };
    const on = await closedDayOf(api, undefined);
    const overview = await overviewOn(api, `by-id/${card.id}`, on, false);
    const entry = overview.grades.find((one) => one.gradeLabel === gradeLabel);
    if (entry?.priceUsdCents == null) {
      const reason: Reason = 'no_grade_price';
      return {
        status: 'no_price' as const,
        reason,
        because:
          entry?.reason === undefined ? 'No close has published a price at this grade yet.' : becauseOf(entry.reason),
        ...slab,
      };
    }
    const price = figureOf(entry, { baseUrl: api.baseUrl, on });
    return { status: 'priced' as const, because: null, ...slab, closeOf: on, price };
  },
});

function whyNot({ reason, warning }: GradedLookup): string {
  if (reason === 'not_ingested') return warning ?? 'No record of this cert is stored, and no grader knows it.';
  return reason === undefined ? 'The card of this slab is not known.' : becauseOf(reason);
}
