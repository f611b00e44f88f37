import { canonicalWord, numberText, textWords } from '../catalog/words/compare.ts';
import { MAX_TOKENS, readQuery, type Token } from '../search/query/read-query.ts';

/** What is said of a card that words can be compared with. */
export type ComparableCard = {
  game: string;
  name: string;
  setName: string | null;
  setCode: string | null;
  cardNumber: string | null;
  printedNumber: string | null;
  variation: string | null;
  language: string | null;
  rarity: string | null;
  year: number | null;
};

/** Words for the printing without a variation, where there are others of the card in its set. */
const PLAIN = new Set(['unlimited', 'regular', 'plain']);

/**
 * The cards that every word fits, of those that a search found, in their order. Nothing is assumed: an edition, a finish and a
 * language that the words leave unsaid fit every printing. Grades and small words are not compared.
 */
export function whatFits<Card extends ComparableCard>(words: string, cards: readonly Card[]): Card[] {
  const reading = readQuery(words);
  // Words after these were not read, and may be what distinguishes two printings.
  if (reading.tokens.length >= MAX_TOKENS) return [];
  const described = cards.map((card) => ({ card, own: ownWords(card), numbers: numbersOf(card) }));
  const fitsToken = (token: Token, at: number, { card, own, numbers }: (typeof described)[number]): boolean =>
    own.has(canonicalWord(token.text)) ||
    (token.isScript && scriptOf(card).includes(token.text)) ||
    (token.isLanguage && card.language !== null && reading.languages.has(card.language as never)) ||
    (token.game !== null && token.game === card.game) ||
    reading.spans.some(({ from, to, key }) => from <= at && at < to && numbers.has(key));
  const fitting = (isPlainSaid: boolean) =>
    described.filter((one) =>
      reading.tokens.every(
        (token, at) =>
          token.isOptional ||
          fitsToken(token, at, one) ||
          (isPlainSaid && PLAIN.has(token.text) && isPlainOfSeveral(one.card, cards)),
      ),
    );
  const literal = fitting(false);
  const fits = literal.length > 0 ? literal : fitting(true);
  // `Black` may be a small word of a query, and the one that distinguishes two cards.
  const small = reading.tokens.filter(({ isOptional }) => isOptional).map(({ text }) => canonicalWord(text));
  const best = Math.max(0, ...fits.map(({ own }) => countOf(small, own)));
  return fits.filter(({ own }) => countOf(small, own) === best).map(({ card }) => card);
}

/** Without others of it, `Black Lotus Unlimited` is not the one of Alpha, but a card that was not found. */
function isPlainOfSeveral(card: ComparableCard, cards: readonly ComparableCard[]): boolean {
  const { game, setName, name, printedNumber, variation } = card;
  const isSame = (one: ComparableCard) =>
    one.game === game && one.setName === setName && one.name === name && one.printedNumber === printedNumber;
  return variation === null && cards.some((one) => one.variation !== null && isSame(one));
}

function countOf(words: readonly string[], own: ReadonlySet<string>): number {
  return words.filter((word) => own.has(word)).length;
}

function ownWords(card: ComparableCard): Set<string> {
  const { name, setName, setCode, cardNumber, printedNumber, variation, language, rarity, year } = card;
  const texts = [name, setName, setCode, cardNumber, printedNumber, variation, language, rarity, year];
  return new Set(texts.flatMap((text) => (text === null ? [] : textWords(String(text)))));
}

function numbersOf({ cardNumber, printedNumber }: ComparableCard): Set<string> {
  return new Set([cardNumber, printedNumber].flatMap((one) => (one === null ? [] : [numberText(one)])));
}

function scriptOf({ name, setName }: ComparableCard): string {
  return `${name} ${setName ?? ''}`.normalize('NFKC').toLowerCase();
}
