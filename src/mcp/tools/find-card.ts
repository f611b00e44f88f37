import { Type } from 'typebox';
import { gameSlug } from '../../items/shapes.ts';
import { cardAnswer, cardOfWords } from '../locate-card.ts';
import { tool } from '../tool.ts';

/** `find_card`. */
export const findCard = tool({
  name: 'find_card',
  title: 'Find a card',
  description:
    'The printing that words mean, or all the printings that fit. An edition, finish or language that is left unsaid is never assumed: with several_fit, ask which one is meant. Costs 1 unit.',
  input: Type.Object(
    {
      words: Type.String({
        minLength: 2,
        maxLength: 80,
        description:
          'Name, set, number, edition or finish, language, in any order: `Charizard 4 Base Set 1st Edition English`.',
      }),
      game: Type.Optional(Type.Enum(gameSlug.enum, { description: 'Cards of this game only.' })),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(cardAnswer(['one_fits'])),
  async call(api, { words, game }) {
    const found = await cardOfWords(api, words, game);
    return found.status === 'one_fits' ? { ...found, because: null } : found;
  },
});
