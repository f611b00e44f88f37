import { Type } from 'typebox';
import { endpoint } from '../http/endpoint.ts';
import { asOfDay } from '../items/parameters/as-of.ts';
import { cardSummary, nullable, priceDay, usdCents } from '../items/shapes.ts';
import type { ListContext } from './context.ts';
import { listLine, MAX_LINES } from './list-lines.ts';
import { readCsvList } from './read-csv-list.ts';
import { valueList } from './value-list.ts';

const cents = Type.Integer({ minimum: 0, description: 'US cents.' });

/** A line of a list with its price, or why it has none. */
export const valuedLine = Type.Object(
  {
    ref: nullable(Type.String({ description: 'As the line has it.' })),
    status: Type.Enum(['priced', 'unpriced', 'ambiguous', 'unknown', 'invalid'], {
      description:
        '`unpriced`: the card is known. `ambiguous`: several cards fit. `unknown`: none does. `invalid`: the line cannot be read.',
    }),
    reason: nullable(Type.String({ description: 'Why it is not priced.' })),
    because: nullable(Type.String({ description: 'The reason in a sentence.' })),
    card: Type.Optional(cardSummary),
    quantity: Type.Integer({ minimum: 1 }),
    valueUsdCents: nullable(Type.Integer({ minimum: 1, description: 'The price of the card times the quantity.' })),
    receiptUrl: nullable(
      Type.String({
        format: 'uri',
        description: 'What the price was computed from, with proofs; null as in the detail.',
      }),
    ),
    candidates: Type.Optional(
      Type.Array(cardSummary, {
        maxItems: 5,
        description: 'Cards that a title may mean, the likeliest first, at its grade; at most 1,000 in an answer.',
      }),
    ),
  },
  { title: 'ValuedLine' },
);

export const valuation = Type.Object(
  {
    asOf: priceDay,
    lines: Type.Array(valuedLine, { maxItems: MAX_LINES, description: 'In the order of the request.' }),
    total: Type.Object({
      valueUsdCents: cents,
      rangeUsdCents: nullable(
        Type.Object(
          { low: usdCents, high: usdCents },
          {
            description:
              '80% range of the total value: errors that lines share (the market of a game, the level of a card) add up, others cancel out. Null without a priced line.',
          },
        ),
      ),
      pricedLines: Type.Integer({ minimum: 0 }),
      unpricedLines: Type.Integer({ minimum: 0 }),
      pricedQuantity: Type.Integer({ minimum: 0 }),
    }),
    receipt: Type.Object({
      digest: Type.String({
        description:
          '`sha256:` and the hash, in hex, of the canonical JSON (RFC 8785) of `{asOf, lines, total}`, with of each line id, gradeLabel, priceUsdCents, quantity, valueUsdCents and receiptUrl, null where absent.',
      }),
      urls: Type.Array(Type.String({ format: 'uri' }), { description: 'Receipts of the lines, each once.' }),
    }),
  },
  { title: 'ListValuation' },
);

/** `POST /v1/valuations`. */
export const valuations = endpoint({
  id: 'valuations',
  reads: 'replica',
  summary: 'What a list of cards is worth: each line priced as its detail is, or why not, and the total with its range',
  body: Type.Object(
    {
      lines: Type.Array(listLine, { minItems: 1, maxItems: MAX_LINES }),
      asOf: Type.Optional(
        Type.String({
          maxLength: 10,
          description: '`YYYY-MM-DD`, a closed day: prices as they were published at its close.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  readCsv: readCsvList,
  unfitBody: 400,
  maxBodyBytes: 2 ** 21,
  linesOf: ({ lines }) => lines.length,
  response: valuation,
  maxAgeSeconds: 'no-store',
  statuses: [404],
  async handle(context: ListContext, { body }) {
    return { body: await valueList(context, body.lines, await asOfDay(context.db, body.asOf)) };
  },
});
