import { type Static, Type } from 'typebox';
import { accuracyQuery, accuracyRow, accuracySelection } from '../../pricing/accuracy/accuracy-routes.ts';
import { citeUrl } from '../card-shapes.ts';
import { queryOf, tool } from '../tool.ts';

const selection = Type.Object({
  ...Type.Pick(Type.Object(accuracySelection), [
    'asOf',
    'from',
    'days',
    'game',
    'company',
    'simulated',
    'leastSales',
    'n',
  ]).properties,
});
const rows = Type.Array(
  Type.Pick(accuracyRow, [
    'group',
    'n',
    'mdape',
    'bias',
    'within10',
    'within20',
    'coverage50',
    'coverage80',
    'coverage95',
  ]),
);

/** `accuracy`. */
export const accuracyTool = tool({
  name: 'accuracy',
  title: 'How accurate prices were',
  description:
    'How far prices were off from the sales that came after them, up to the last close: the median error, the bias, and how many sales were inside the 50%, 80% and 95% ranges, in percent; by game, company, month and so on. Costs 1 unit.',
  input: Type.Object(
    {
      ...Type.Pick(accuracyQuery, ['game', 'company', 'groupBy']).properties,
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 365, description: 'Days up to the last close, 1 to 365; 90 by default.' }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ ...selection.properties, rows, citeUrl }),
  async call(api, sent) {
    const body = await api.get<Static<typeof selection> & { rows: Static<typeof rows> }>(
      `/v1/accuracy${queryOf(sent)}`,
    );
    const { asOf, from, days, game, company, simulated, leastSales, n } = body;
    return {
      ...{ asOf, from, days, game, company, simulated, leastSales, n },
      rows: body.rows.map(({ group, n, mdape, bias, within10, within20, coverage50, coverage80, coverage95 }) => ({
        ...{ group, n, mdape, bias, within10, within20, coverage50, coverage80, coverage95 },
      })),
      citeUrl: `${api.baseUrl}/accuracy${queryOf({ game: sent.game })}`,
    };
  },
});
