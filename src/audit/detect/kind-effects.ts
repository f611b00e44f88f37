import { groupBy } from '../../lib/group-by.ts';
import { mean, median } from '../../lib/stats.ts';
import { type AuditedItem, type GameBook, levelIn, printingOf } from '../game-book.ts';

const ROUNDS = 6;
/** So many printings outweigh what the kind is in other sets, or that nothing is known of it. */
const PSEUDO_COUNT = 2;

/**
 * By how much a kind of printing is usually above the other printings of its card, in logs: of its set, shrunk towards the game's.
 * Fitted in turns, levels of cards, then effects of kinds, so that kinds are comparable that no card has both of.
 */
export function kindEffects(book: GameBook): (item: AuditedItem) => number {
  const ofCards = book.cards.map((card) =>
    card.flatMap((item) => {
      const level = levelIn(book, book.cellsOf.get(item.itemId)!);
      return level === null
        ? []
        : [{ set: `${item.setId} ${printingOf(item)}`, game: printingOf(item), level: level.value }];
    }),
  );
  const [ofSet, ofGame] = [new Map<string, number>(), new Map<string, number>()];
  const effectOf = (set: string, game: string) => ofSet.get(set) ?? ofGame.get(game) ?? 0;
  for (let round = 0; round < ROUNDS; round++) {
    const left = ofCards.flatMap((card) => {
      const level = mean(card.map((one) => one.level - effectOf(one.set, one.game)));
      return card.map((one) => ({ ...one, left: one.level - level }));
    });
    for (const [kind, all] of groupBy(left, ({ game }) => game)) ofGame.set(kind, shrunk(all, 0));
    for (const [kind, all] of groupBy(left, ({ set }) => set)) ofSet.set(kind, shrunk(all, ofGame.get(all[0]!.game)!));
  }
  return (item) => effectOf(`${item.setId} ${printingOf(item)}`, printingOf(item));
}

function shrunk(values: readonly { left: number }[], towards: number): number {
  const share = values.length / (values.length + PSEUDO_COUNT);
  return share * median(values.map(({ left }) => left)) + (1 - share) * towards;
}
