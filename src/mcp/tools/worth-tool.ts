import { type Static, Type } from 'typebox';
import { cardSummary } from '../../items/shapes.ts';
import { listLine } from '../../lists/list-lines.ts';
import { valuation, valuedLine } from '../../lists/valuations.ts';
import { citeUrl, namedCard, namedCardOf } from '../card-shapes.ts';
import { closeDay, closedDayOf, onParameter } from '../locate-card.ts';
import { tool } from '../tool.ts';

/** As many as a model can read. */
const MOST_LINES = 200;

const line = Type.Object({
  ...Type.Pick(valuedLine, ['ref', 'status', 'because', 'quantity', 'valueUsdCents', 'receiptUrl']).properties,
  card: Type.Optional(namedCard),
  ...Type.Pick(cardSummary, ['gradeLabel', 'priceUsdCents', 'priceRangeUsdCents', 'asOf']).properties,
  citeUrl: Type.Union([citeUrl, Type.Null()]),
  candidates: Type.Optional(Type.Array(namedCard, { maxItems: 5 })),
});

/** `list_worth`. */
export const worthTool = tool({
  name: 'list_worth',
  title: 'What a list is worth',
  description:
    'What cards are worth together, with the 80% range of the total (errors that lines share add up, others cancel), and each line priced or why not. A title is read as a listing: unsaid, it is English and the plain edition, so check the card of the line, and name a card by id to be certain. Costs 1 unit for each 50 lines.',
  input: Type.Object(
    {
      lines: Type.Array(
        Type.Object(Type.Pick(listLine, ['id', 'href', 'cert', 'title', 'gradeLabel', 'quantity', 'ref']).properties, {
          additionalProperties: false,
        }),
        { minItems: 1, maxItems: MOST_LINES },
      ),
      on: onParameter,
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    closeOf: closeDay,
    total: valuation.properties.total,
    receiptDigest: valuation.properties.receipt.properties.digest,
    lines: Type.Array(line),
  }),
  async call(api, sent) {
    const on = await closedDayOf(api, sent.on);
    // As of a day, also a price is stated that has been withheld since.
    const list = await api.post<Static<typeof valuation>>('/v1/valuations', { lines: sent.lines, asOf: sent.on });
    return {
      closeOf: on,
      total: list.total,
      receiptDigest: list.receipt.digest,
      lines: list.lines.map((one) => lineOf(one, api.baseUrl, on)),
    };
  },
});

function lineOf(valued: Static<typeof valuedLine>, baseUrl: string, on: string): Static<typeof line> {
  const { ref, status, because, quantity, valueUsdCents, receiptUrl, card, candidates } = valued;
  return {
    ...{ ref, status, because, quantity, valueUsdCents, receiptUrl },
    ...(card === undefined ? {} : { card: namedCardOf(card, baseUrl) }),
    gradeLabel: card?.gradeLabel ?? null,
    priceUsdCents: card?.priceUsdCents ?? null,
    priceRangeUsdCents: card?.priceRangeUsdCents ?? null,
    asOf: card?.asOf ?? null,
    citeUrl:
      card === undefined || card.priceUsdCents === null
        ? null
        : `${baseUrl}${card.href}${card.asOf === on ? `?on=${on}` : ''}`,
    ...(candidates === undefined ? {} : { candidates: candidates.map((one) => namedCardOf(one, baseUrl)) }),
  };
}
