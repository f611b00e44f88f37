import { GAME_LABELS, GAMES, type Game, INDEXED_GAMES, isGame } from '../../catalog/games.ts';
import { foldSlug } from '../../catalog/slug.ts';
import { unknownGame } from '../../http/problem.ts';
import { publicIndices } from '../../indices/rows.ts';
import { type IndexTile, tilesOf } from '../../indices/tiles.ts';
import { type SetView, setsOfGame } from '../../items/sets/set-list.ts';
import { counted } from '../../lib/counted.ts';
import { Chips } from '../chips.tsx';
import { count } from '../format.ts';
import { IndexStrip } from '../index/index-tile.tsx';
import type { Page } from '../page.ts';
import { SetsTable } from '../set/sets-table.tsx';

/** `/card/{game}`: its sets, newest first; `?language=` narrows them. */
export const gamePage: Page = {
  path: '/card/:game',
  maxAgeSeconds: 300,
  async answer(context, { params, query }) {
    const game = params.game!.toLowerCase();
    if (!isGame(game)) throw unknownGame(GAMES, game);
    const path = `/card/${game}`;
    if (params.game !== game) return { movedTo: path };
    const [sets, index] = await Promise.all([setsOfGame(context.db, game), tileOfGame(context, game)]);
    const label = GAME_LABELS[game];
    const languages = languagesOf(sets);
    const chosen = languages.find(({ token }) => token === query.get('language')) ?? null;
    const shown = chosen === null ? sets : sets.filter((set) => languageToken(set) === chosen.token);
    const cards = sets.reduce((sum, set) => sum + set.cardCount, 0);
    const sold = sets.reduce((sum, set) => sum + set.soldCount, 0);
    const facts = `${counted(cards, 'card')} in ${counted(sets.length, 'set')}`;
    return {
      title: `${label} sets`,
      description: `${label}: ${facts}, each with its cards and their reference prices.`,
      path,
      section: 'cards',
      // A choice of languages is the same list, shorter.
      isHidden: chosen !== null,
      trail: [
        { name: 'Cards', href: '/card' },
        { name: label, href: path },
      ],
      main: (
        <div class="wrap">
          <div class="page-head page-head-split">
            <div>
              <h1>{label}</h1>
              <p class="lead">
                {facts}.{' '}
                {sold === 0
                  ? 'None has a sale in a price yet.'
                  : `${count(sold)} ${sold === 1 ? 'has' : 'have'} recorded sales that are in a price.`}
              </p>
            </div>
            {index !== null && <IndexStrip tile={index} />}
          </div>
          {languages.length > 1 && <Languages path={path} languages={languages} chosen={chosen?.token ?? null} />}
          <SetsTable game={game} sets={shown} gameLabel={label} />
        </div>
      ),
    };
  },
};

async function tileOfGame({ db }: Parameters<Page['answer']>[0], game: Game): Promise<IndexTile | null> {
  if (!INDEXED_GAMES.includes(game)) return null;
  const [tile] = await tilesOf(
    db,
    (await publicIndices(db)).filter(({ slug }) => slug === game),
  );
  return tile!;
}

type LanguageChoice = { token: string; name: string; sets: number };

/** A language as in the address; a set of several languages does not have one. */
function languageToken({ language }: SetView): string {
  return language === null ? 'several' : foldSlug(language);
}

/** The languages of a game's sets, most sets first. */
function languagesOf(sets: readonly SetView[]): LanguageChoice[] {
  const choices = new Map<string, LanguageChoice>();
  for (const set of sets) {
    const token = languageToken(set);
    const choice = choices.get(token);
    if (choice === undefined) choices.set(token, { token, name: set.language ?? 'Multiple languages', sets: 1 });
    else choice.sets++;
  }
  return [...choices.values()].sort((a, b) => b.sets - a.sets || (a.token < b.token ? -1 : 1));
}

function Languages({ path, languages, chosen }: { path: string; languages: LanguageChoice[]; chosen: string | null }) {
  const all = { token: null, name: 'All', sets: languages.reduce((sum, { sets }) => sum + sets, 0) };
  const links = [all, ...languages].map(({ token, name, sets }) => ({
    href: token === null ? path : `${path}?language=${token}`,
    name,
    size: sets,
    isCurrent: token === chosen,
  }));
  return (
    <nav aria-label="Languages">
      <Chips links={links} />
    </nav>
  );
}
