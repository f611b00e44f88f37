import { type Static, Type } from 'typebox';
import { gradeEntry } from '../items/overview.ts';
import { cardSummary } from '../items/shapes.ts';

/** Shapes that several tools share, made of those of the API. */

const IDENTITY = [
  'id',
  'game',
  'name',
  'setName',
  'setCode',
  'cardNumber',
  'printedNumber',
  'variation',
  'language',
] as const;

/** Which printing it is. */
export const namedCard = Type.Object({
  ...Type.Pick(cardSummary, [...IDENTITY]).properties,
  pageUrl: Type.String({ format: 'uri', description: 'Its page; as `card` it names this printing to every tool.' }),
});
export type NamedCard = Static<typeof namedCard>;

type Identity = Pick<Static<typeof cardSummary>, (typeof IDENTITY)[number] | 'href'>;

/** A card of an answer of the API as tools name it. */
export function namedCardOf(card: Identity, baseUrl: string): NamedCard {
  const { id, game, name, setName, setCode, cardNumber, printedNumber, variation, language, href } = card;
  const numbers = { cardNumber, printedNumber };
  return { id, game, name, setName, setCode, ...numbers, variation, language, pageUrl: baseUrl + href };
}

export const citeUrl = Type.String({ format: 'uri', description: 'The page that shows this figure: cite it.' });

/** The price of a card at one grade, as the close of `asOf` published it. */
export const figure = Type.Object({
  ...Type.Pick(gradeEntry, [
    'gradeLabel',
    'priceUsdCents',
    'priceRangeUsdCents',
    'nextSaleRangeUsdCents',
    'deltaPct',
    'confidence',
    'confidenceScore',
    'unconfirmedMove',
    'estimated',
    'observationCount',
    'lastSaleAt',
    'asOf',
  ]).properties,
  citeUrl,
});
export type Figure = Static<typeof figure>;

/** A grade of an overview as of a day (`YYYY-MM-DD`) as a figure. */
export function figureOf(entry: Static<typeof gradeEntry>, { baseUrl, on }: { baseUrl: string; on: string }): Figure {
  const { gradeLabel, priceUsdCents, priceRangeUsdCents, nextSaleRangeUsdCents, deltaPct, confidence } = entry;
  const { confidenceScore, unconfirmedMove, estimated, observationCount, lastSaleAt, asOf } = entry;
  return {
    ...{ gradeLabel, priceUsdCents, priceRangeUsdCents, nextSaleRangeUsdCents, deltaPct, confidence },
    ...{ confidenceScore, unconfirmedMove, estimated, observationCount, lastSaleAt, asOf },
    citeUrl: `${baseUrl}${entry.href}?on=${on}`,
  };
}
