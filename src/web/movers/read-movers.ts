import { GAMES, type Game } from '../../catalog/games.ts';
import { cardsOfMovers } from '../../items/featured.ts';
import { MOVE_WINDOWS_DAYS, type Mover, moversOver } from '../../pricing/read/movers.ts';
import { addressWith, oneOf, pageOf } from '../choice.ts';
import type { WebContext } from '../context.ts';
import { gameOptions } from '../sales/read-sales.ts';

const MOVERS_A_PAGE = 50;
const MAX_PAGE = 40;
const WINDOWS = ['7', '14', '30'] as const;
const GRADES = ['graded', 'raw', 'psa-10', 'psa-9'] as const;
const DIRECTIONS = ['up', 'down'] as const;

export type MoversChoice = {
  windowDays: (typeof MOVE_WINDOWS_DAYS)[number];
  game: Game | null;
  grade: (typeof GRADES)[number] | null;
  direction: (typeof DIRECTIONS)[number] | null;
  page: number;
};

export type MoverCard = Awaited<ReturnType<typeof cardsOfMovers>>[number];

/** The choice of an address. Throws `invalid_parameter`. */
export function moversChoiceOf(query: URLSearchParams): MoversChoice {
  const days = oneOf(query, 'window', WINDOWS);
  return {
    windowDays: MOVE_WINDOWS_DAYS.find((one) => String(one) === days) ?? 7,
    game: oneOf(query, 'game', GAMES),
    grade: oneOf(query, 'grade', GRADES),
    direction: oneOf(query, 'direction', DIRECTIONS),
    page: pageOf(query, MAX_PAGE),
  };
}

/** The address of a choice. */
export function moversAddress({ windowDays, game, grade, direction, page }: MoversChoice): string {
  return addressWith('/movers', {
    window: windowDays === 7 ? null : String(windowDays),
    game,
    grade,
    direction,
    page: page === 1 ? null : String(page),
  });
}

/** The fields of the filter. */
export function moversFields({ windowDays, game, grade, direction }: MoversChoice) {
  return [
    {
      name: 'window',
      label: 'Past',
      chosen: String(windowDays),
      options: WINDOWS.map((one) => [one, `${one} days`] as const),
    },
    { name: 'game', label: 'Game', chosen: game, options: gameOptions(GAMES) },
    {
      name: 'grade',
      label: 'Grade',
      chosen: grade,
      options: [
        ['', 'All'],
        ['graded', 'Graded'],
        ['raw', 'Ungraded'],
        ['psa-10', 'PSA 10'],
        ['psa-9', 'PSA 9'],
      ],
    },
    {
      name: 'direction',
      label: 'Direction',
      chosen: direction,
      options: [
        ['', 'Up and down'],
        ['up', 'Up'],
        ['down', 'Down'],
      ],
    },
  ] as const;
}

/** A page of movers, how many there are, and on how many pages. */
export async function readMovers({ db }: WebContext, choice: MoversChoice) {
  const found = (await moversOver(db, choice.windowDays)).filter((mover) => isChosen(mover, choice));
  const offset = (choice.page - 1) * MOVERS_A_PAGE;
  const cards = await cardsOfMovers(db, found.slice(offset, offset + MOVERS_A_PAGE), { withTags: false });
  return { cards, moverCount: found.length, pages: Math.ceil(found.length / MOVERS_A_PAGE) };
}

function isChosen({ game, gradeKey, movePct }: Mover, { game: wanted, grade, direction }: MoversChoice): boolean {
  if (wanted !== null && game !== wanted) return false;
  if (direction !== null && movePct > 0 !== (direction === 'up')) return false;
  const isRaw = gradeKey.startsWith('raw-');
  if (grade === 'raw') return isRaw;
  if (grade === 'graded') return !isRaw;
  return grade === null || gradeKey === grade;
}
