import { gamesOf } from '../../items/games.ts';
import { count } from '../format.ts';
import type { Page } from '../page.ts';
import { GamesTable } from './games-table.tsx';

/** `/card`: the games. */
export const gamesPage: Page = {
  path: '/card',
  maxAgeSeconds: 300,
  async answer(context) {
    const games = await gamesOf(context.db);
    const sum = (of: (game: (typeof games)[number]) => number) => count(games.reduce((all, one) => all + of(one), 0));
    return {
      title: 'Cards by game',
      description: `${sum((one) => one.itemCount)} cards of ${games.length} games, by set, with reference prices from recorded sales.`,
      path: '/card',
      section: 'cards',
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>Cards by game</h1>
            <p class="lead">
              {sum((one) => one.itemCount)} cards in {sum((one) => one.setCount)} sets. A printing in another language
              or finish is a separate card.
            </p>
          </div>
          <GamesTable games={games} />
        </div>
      ),
    };
  },
};
