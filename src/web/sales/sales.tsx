import { GAME_LABELS } from '../../catalog/games.ts';
import { notFound } from '../../http/problem.ts';
import type { MarketTrade } from '../../items/trades/market-trades.ts';
import { CardCell } from '../card/card-cell.tsx';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { Source } from '../card/card-tables.tsx';
import { amountOf } from '../card/card-words.ts';
import { Chips } from '../chips.tsx';
import { usdToTheCent } from '../format.ts';
import { itemListBlock } from '../json-ld.ts';
import { ListFilter } from '../list-filter.tsx';
import type { Page } from '../page.ts';
import { Day } from '../price.tsx';
import { siteOf } from '../site/site.ts';
import { Table, type TableColumn } from '../table.tsx';
import { readSales, type SalesChoice, salesAddress, salesChoiceOf, salesFields } from './read-sales.ts';

/** `/sales`: accepted sales of all cards, newest or biggest first. */
export const salesPage: Page = {
  path: '/sales',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const choice = salesChoiceOf(query);
    const { sales, hasMore } = await readSales(context, choice);
    if (choice.page > 1 && sales.length === 0) throw notFound('There are no further sales.');
    const { baseUrl } = siteOf(context);
    const title = titleOf(choice);
    return {
      title,
      description: `${title}: recorded sales of trading cards and graded slabs with price, grade, place and day.`,
      path: '/sales',
      section: 'sales',
      isHidden: salesAddress(choice) !== '/sales',
      hasBreadcrumbs: true,
      trail: [{ name: 'Sales', href: '/sales' }],
      blocks:
        sales.length === 0
          ? []
          : [
              itemListBlock(
                baseUrl,
                title,
                sales.map(({ trade, card }) => ({
                  name: `${lineOf(card)}, ${gradeName(trade.gradeLabel)}`,
                  href: card.href,
                })),
              ),
            ],
      alternates: [{ type: 'text/markdown', href: salesAddress(choice).replace('/sales', '/sales.md') }],
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>{title}</h1>
            <p class="lead">Accepted sales only. A card’s own page also lists rejected sales, with the reason.</p>
          </div>
          <div class="list-choices">
            <ListFilter path="/sales" label="Filter sales" fields={salesFields(choice)} />
          </div>
          {sales.length === 0 ? (
            <p class="empty">No sale matches these filters. Try a longer period.</p>
          ) : (
            <Table classes="list-table sales-table" columns={COLUMNS} rows={sales} />
          )}
          <Steps choice={choice} hasMore={hasMore} />
        </div>
      ),
    };
  },
};

/** `Biggest sales, past 30 days: Pokémon, graded`. */
export function titleOf({ order, days, game, kind }: SalesChoice): string {
  const narrowed = [game && GAME_LABELS[game], kind === 'raw' ? 'ungraded' : kind].filter(Boolean).join(', ');
  const all = `${order === 'newest' ? 'Newest' : 'Biggest'} sales${days === null ? '' : `, past ${days} days`}`;
  return narrowed === '' ? all : `${all}: ${narrowed}`;
}

const COLUMNS: readonly TableColumn<MarketTrade>[] = [
  { head: 'Card', isName: true, cell: ({ card, trade }) => <CardCell card={{ ...card, grade: trade.gradeLabel }} /> },
  {
    head: 'Price',
    classes: 'num',
    cell: ({ trade }) => (
      <>
        {amountOf(trade, usdToTheCent)}
        <span class="row-note phone-only">
          <Day iso={trade.observedAt} />
        </span>
      </>
    ),
  },
  {
    head: 'Where',
    classes: 'wide-only muted',
    cell: ({ trade }) => <Source {...trade} />,
  },
  { head: 'Day', classes: 'wide-only', cell: ({ trade }) => <Day iso={trade.observedAt} /> },
];

function Steps({ choice, hasMore }: { choice: SalesChoice; hasMore: boolean }) {
  const { page } = choice;
  const chip = (to: number, name: string, rel: string) => ({
    href: salesAddress({ ...choice, page: to }),
    name,
    rel,
  });
  const links = [page > 1 && chip(page - 1, 'Previous', 'prev'), hasMore && chip(page + 1, 'Next', 'next')];
  const shown = links.filter((one) => one !== false);
  if (shown.length === 0) return null;
  return (
    <nav class="pages" aria-label="Pages">
      <p>Page {page}</p>
      <Chips links={shown} />
    </nav>
  );
}
