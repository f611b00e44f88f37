import { type Static, Type } from 'typebox';
import { basis, explanation } from '../../items/explained.ts';
import { answerAtGrade, atGradeAnswer, cardAtGrade } from '../at-grade-tool.ts';
import { queryOf, tool } from '../tool.ts';

/** What the detail of a card says of its price. */
const made = Type.Object({
  basis,
  explanation,
  sourceCount: Type.Integer({ description: 'Markets with a sale of the last 365 days.' }),
  methodologyUrl: Type.String({ format: 'uri' }),
  receiptUrl: Type.Union([Type.String({ format: 'uri' }), Type.Null()], {
    description: 'What the price was computed from, with proofs.',
  }),
});

/** `explain_price`. */
export const explainTool = tool({
  name: 'explain_price',
  title: 'What a price is made of',
  description:
    'What the reference price of a printing at a grade rests on: the shares of its own sales, other grades, set and game, and the sales that moved it most, each with its date and place of sale. Costs 2 units, 1 more without `on`, 1 more by words.',
  input: Type.Object(cardAtGrade, { additionalProperties: false }),
  output: Type.Object({ ...atGradeAnswer, madeOf: Type.Optional(made) }),
  call(api, sent) {
    return answerAtGrade(api, sent, async ({ path, on }) => {
      const detail = await api.get<Static<typeof made>>(`/v1/items/${path}${queryOf({ asOf: on })}`);
      const { basis, explanation, sourceCount, methodologyUrl, receiptUrl } = detail;
      return { madeOf: { basis, explanation, sourceCount, methodologyUrl, receiptUrl } };
    });
  },
});
