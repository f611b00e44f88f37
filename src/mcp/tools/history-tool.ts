import { type Static, Type } from 'typebox';
import { fmvPoint } from '../../items/fmv-series.ts';
import { answerAtGrade, atGradeAnswer, cardAtGrade } from '../at-grade-tool.ts';
import { queryOf, tool } from '../tool.ts';

const MOST_DAYS = 1095;
const DEFAULT_DAYS = 90;
/** More days than this are answered by every seventh. */
const MOST_DAILY = 92;

const { usdCents, lowUsdCents, highUsdCents } = fmvPoint.properties;

/** `price_history`. */
export const historyTool = tool({
  name: 'price_history',
  title: 'Price history of a card',
  description:
    'The reference price of a printing at a grade day by day, each with its 80% range as it was published, and the sales of each step. Over more than 92 days one day in seven. Costs 2 units, 1 more without `on`, 1 more by words.',
  input: Type.Object(
    {
      ...cardAtGrade,
      days: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MOST_DAYS,
          description: `Days back from the close, 1 to ${MOST_DAYS}; ${DEFAULT_DAYS} by default.`,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    ...atGradeAnswer,
    points: Type.Optional(
      Type.Array(
        Type.Object({
          day: Type.String({ format: 'date' }),
          priceUsdCents: usdCents,
          lowUsdCents,
          highUsdCents,
          sales: Type.Integer({ description: 'Sales since the point before, that of the day included.' }),
        }),
        { description: 'Oldest first. `citeUrl` of the price with another day after `?on=` is the page of that day.' },
      ),
    ),
  }),
  call(api, sent) {
    return answerAtGrade(api, sent, async ({ path, on }) => {
      const days = sent.days ?? DEFAULT_DAYS;
      const series = await api.get<{ points: Static<typeof fmvPoint>[] }>(
        `/v1/items/${path}/fmv-series${queryOf({ window: days, asOf: on })}`,
      );
      return { points: stepsOf(series.points, days > MOST_DAILY ? 7 : 1) };
    });
  },
});

/** Every `step`th day, counted from the last, each with the sales of its step. */
function stepsOf(points: readonly Static<typeof fmvPoint>[], step: number) {
  const steps = [];
  for (let end = points.length; end > 0; end -= step) {
    const { t, usdCents, lowUsdCents, highUsdCents } = points[end - 1]!;
    const sales = points.slice(Math.max(0, end - step), end).reduce((sum, { n }) => sum + n, 0);
    steps.push({ day: t.slice(0, 10), priceUsdCents: usdCents, lowUsdCents, highUsdCents, sales });
  }
  return steps.reverse();
}
