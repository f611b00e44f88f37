import { GAME_LABELS, GAMES, type Game } from '../../catalog/games.ts';
import { type MarketTrade, marketTrades } from '../../items/trades/market-trades.ts';
import { dayOf } from '../../lib/day.ts';
import { addressWith, oneOf, pageOf } from '../choice.ts';
import type { WebContext } from '../context.ts';

const SALES_A_PAGE = 50;
/** Older sales are on the pages of their cards. */
const MAX_PAGE = 20;
const ORDERS = ['biggest', 'newest'] as const;
const DAYS = ['7', '30', '90', '365'] as const;
const KINDS = ['graded', 'raw'] as const;

export type SalesChoice = {
  order: (typeof ORDERS)[number];
  /** Null: any time, of the newest only. */
  days: (typeof DAYS)[number] | null;
  game: Game | null;
  kind: (typeof KINDS)[number] | null;
  page: number;
};

/** The biggest are looked for in so many days by default: over all time they would cost a read of every sale. */
const BIGGEST_DAYS = '90';

/** The choice of an address: the newest sales by default. Throws `invalid_parameter`. */
export function salesChoiceOf(query: URLSearchParams): SalesChoice {
  const order = oneOf(query, 'order', ORDERS) ?? 'newest';
  return {
    order,
    days: oneOf(query, 'days', DAYS) ?? (order === 'biggest' ? BIGGEST_DAYS : null),
    game: oneOf(query, 'game', GAMES),
    kind: oneOf(query, 'kind', KINDS),
    page: pageOf(query, MAX_PAGE),
  };
}

/** The address of a choice. */
export function salesAddress({ order, days, game, kind, page }: SalesChoice): string {
  return addressWith('/sales', {
    order: order === 'newest' ? null : order,
    days: order === 'biggest' && days === BIGGEST_DAYS ? null : days,
    game,
    kind,
    page: page === 1 ? null : String(page),
  });
}

/** The fields of the filter. */
export function salesFields({ order, days, game, kind }: SalesChoice) {
  return [
    {
      name: 'order',
      label: 'Order',
      chosen: order,
      options: [
        ['newest', 'Newest'],
        ['biggest', 'Biggest'],
      ],
    },
    {
      name: 'days',
      label: 'Past',
      chosen: days,
      options: [
        ...(order === 'newest' ? [['', 'Any time'] as const] : []),
        ...DAYS.map((one) => [one, `${one} days`] as const),
      ],
    },
    { name: 'game', label: 'Game', chosen: game, options: gameOptions(GAMES) },
    {
      name: 'kind',
      label: 'Cards',
      chosen: kind,
      options: [
        ['', 'All'],
        ['graded', 'Graded'],
        ['raw', 'Ungraded'],
      ],
    },
  ] as const;
}

/** Games to choose from. */
export function gameOptions(games: readonly Game[]) {
  return [['', 'All games'] as const, ...games.map((game) => [game, GAME_LABELS[game]] as const)];
}

/** A page of sales, and whether a further one follows. */
export async function readSales(
  context: WebContext,
  { order, days, game, kind, page }: SalesChoice,
): Promise<{ sales: MarketTrade[]; hasMore: boolean }> {
  const sales = await marketTrades(context, {
    order,
    game,
    isRaw: kind === null ? null : kind === 'raw',
    fromDay: days === null ? null : dayOf(context.clock()) - Number(days),
    limit: SALES_A_PAGE + 1,
    offset: (page - 1) * SALES_A_PAGE,
  });
  return { sales: sales.slice(0, SALES_A_PAGE), hasMore: sales.length > SALES_A_PAGE && page < MAX_PAGE };
}
