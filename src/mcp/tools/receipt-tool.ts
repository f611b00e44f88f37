import { type Static, Type } from 'typebox';
import { published } from '../../receipts/receipt-route.ts';
import { answerAtGrade, atGradeAnswer, cardAtGrade } from '../at-grade-tool.ts';
import { tool } from '../tool.ts';

const summary = Type.Object({
  url: Type.String({ format: 'uri', description: 'The whole receipt; `mintmark verify` checks it from this address.' }),
  day: Type.String({ format: 'date' }),
  published,
  version: Type.String({ description: 'Version of the price model.' }),
  lines: Type.Integer({ description: 'Lines of the record that the price is computed from.' }),
  checkpoint: Type.String({ description: 'Signed note: the head of the record at the close of the day.' }),
});

/** `receipt`. */
export const receiptTool = tool({
  name: 'receipt',
  title: 'Receipt of a price',
  description:
    'The signed receipt of a price: what was published at the close of a day, how many lines of the public record it is computed from, and the address that proves it. Costs 2 units, 1 more without `on`, 1 more by words.',
  input: Type.Object(cardAtGrade, { additionalProperties: false }),
  output: Type.Object({ ...atGradeAnswer, receipt: Type.Optional(summary) }),
  call(api, sent) {
    return answerAtGrade(api, sent, async ({ card, row, on }) => {
      const whole = await api.get<Omit<Static<typeof summary>, 'lines'> & { lines: string[] }>(
        `/v1/receipts/${card.id}/${row.key}/${on}`,
      );
      const { url, day, published, version, lines, checkpoint } = whole;
      return { receipt: { url, day, published, version, lines: lines.length, checkpoint } };
    });
  },
});
