import { type Static, Type } from 'typebox';
import { cardSummary } from '../../items/shapes.ts';
import { listLine } from '../../lists/list-lines.ts';
import { valuation, valuedLine } from '../../lists/valuations.ts';
import { citeUrl, namedCard, namedCardOf } from '../card-shapes.ts';
import { closedDayOf, onParameter } from '../locate-card.ts';
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
    'What cards are worth together, with the 80% range of the total (errors that lines share add up, others cancel), and each line priced or why not. A title is read as a listing: unsaid, it is English and the plain edition, so check the card of the line, and name a card by id to be certain. Costs 1 unit for each 50 lines, 2 without `on`.',
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
    closeOf: Type.String({
      format: 'date',
      description: 'The day whose close the figures are of (UTC); sales since count too where a price is withheld.',
    }),
    total: valuation.properties.total,
    receiptDigest: valuation.properties.receipt.properties.digest,
    lines: Type.Array(line),
  }),
  async call(api, sent) {
    const on = await closedDayOf(api, sent.on);
    const valued = (asOf?: string) => api.post<Static<typeof valuation>>('/v1/valuations', { lines: sent.lines, asOf });
    const published = await valued(on);
    // What has been withheld since is only in the list as it is now, which sales since the close are in too.
    const now = sent.on === undefined ? await valued() : published;
    const isWithheld = now.lines.some(({ reason }) => reason === 'identity_suspect');
    const [list, page] = isWithheld ? [now, ''] : [published, `?on=${on}`];
    return {
      closeOf: on,
      total: list.total,
      receiptDigest: list.receipt.digest,
      lines: list.lines.map((one) => lineOf(one, api.baseUrl, page)),
    };
  },
});

/** `page`: the query of the pages that show the prices. */
function lineOf(valued: Static<typeof valuedLine>, baseUrl: string, page: string): Static<typeof line> {
  const { ref, status, because, quantity, valueUsdCents, receiptUrl, card, candidates } = valued;
  return {
    ...{ ref, status, because, quantity, valueUsdCents, receiptUrl },
    ...(card === undefined ? {} : { card: namedCardOf(card, baseUrl) }),
    gradeLabel: card?.gradeLabel ?? null,
    priceUsdCents: card?.priceUsdCents ?? null,
    priceRangeUsdCents: card?.priceRangeUsdCents ?? null,
    asOf: card?.asOf ?? null,
    citeUrl: card === undefined || card.priceUsdCents === null ? null : `${baseUrl}${card.href}${page}`,
    ...(candidates === undefined ? {} : { candidates: candidates.map((one) => namedCardOf(one, baseUrl)) }),
  };
}
