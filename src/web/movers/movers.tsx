import { GAME_LABELS } from '../../catalog/games.ts';
import { notFound } from '../../http/problem.ts';
import { CardCell } from '../card/card-cell.tsx';
import { gradeName, lineOf } from '../card/card-facts.ts';
import { salesOf } from '../card/card-words.ts';
import { usd, usdToTheCent } from '../format.ts';
import { itemListBlock } from '../json-ld.ts';
import { ListFilter } from '../list-filter.tsx';
import type { Page } from '../page.ts';
import { Pages } from '../pages.tsx';
import { Day, Move, Spark } from '../price.tsx';
import { siteOf } from '../site/site.ts';
import { Table, type TableColumn } from '../table.tsx';
import {
  type MoverCard,
  type MoversChoice,
  moversAddress,
  moversChoiceOf,
  moversFields,
  readMovers,
} from './read-movers.ts';

/** `/movers`: cards that moved on sales of their own, biggest move first. */
export const moversPage: Page = {
  path: '/movers',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const choice = moversChoiceOf(query);
    const { cards, moverCount, pages } = await readMovers(context, choice);
    if (choice.page > Math.max(1, pages)) throw notFound('There are no further movers.');
    const { baseUrl } = siteOf(context);
    const title = moversTitle(choice);
    return {
      title,
      description: `${title}: trading cards and graded slabs whose reference price moved on recorded sales, with those sales.`,
      path: '/movers',
      section: 'movers',
      isHidden: moversAddress(choice) !== '/movers',
      hasBreadcrumbs: true,
      trail: [{ name: 'Movers', href: '/movers' }],
      blocks:
        cards.length === 0
          ? []
          : [
              itemListBlock(
                baseUrl,
                title,
                cards.map((card) => ({ name: `${lineOf(card)}, ${gradeName(card.gradeLabel!)}`, href: card.href })),
              ),
            ],
      alternates: [
        { type: 'text/markdown', href: moversAddress(choice).replace('/movers', '/movers.md') },
        { type: 'application/atom+xml', href: '/movers.xml', title: 'Cards that moved most' },
      ],
      main: (
        <div class="wrap">
          <div class="page-head">
            <h1>{title}</h1>
            <p class="lead">
              A card is listed when at least two sales moved its price up to the last close, or one within the range
              published before it. Down-weighted sales do not count.
            </p>
          </div>
          <div class="list-choices">
            <ListFilter path="/movers" label="Filter movers" fields={moversFields(choice)} />
          </div>
          {moverCount === 0 ? (
            <p class="empty">
              No card has moved on its own sales in this period. Try a longer one, or see the{' '}
              <a href="/sales">newest sales</a>.
            </p>
          ) : (
            <Table classes="list-table" columns={columnsOf(choice.windowDays)} rows={cards} />
          )}
          <Pages addressOfPage={(page) => moversAddress({ ...choice, page })} page={choice.page} pages={pages} />
        </div>
      ),
    };
  },
};

/** `Biggest moves up, past 7 days: Pokémon`. */
export function moversTitle({ windowDays, game, direction }: MoversChoice): string {
  const way = direction === null ? '' : ` ${direction}`;
  return `Biggest moves${way}, past ${windowDays} days${game === null ? '' : `: ${GAME_LABELS[game]}`}`;
}

function columnsOf(windowDays: number): readonly TableColumn<MoverCard>[] {
  return [
    {
      head: 'Card',
      isName: true,
      cell: (card) => (
        <>
          <CardCell card={{ ...card, grade: card.gradeLabel }} />
          <span class="row-note phone-only">
            <Evidence card={card} />
          </span>
        </>
      ),
    },
    {
      head: 'Move',
      classes: 'num',
      cell: ({ movePct, priceUsdCents }) => (
        <>
          <Move percent={movePct} over={`${windowDays} days`} />
          <span class="row-note phone-only">{priceWords(priceUsdCents)}</span>
        </>
      ),
    },
    { head: 'Price', classes: 'num wide-only', cell: ({ priceUsdCents }) => priceWords(priceUsdCents) },
    { head: '4 months', classes: 'wide-only', cell: ({ spark }) => <Spark values={spark} /> },
    {
      head: 'Based on',
      classes: 'wide-only muted evidence',
      cell: (card) => <Evidence card={card} />,
    },
  ];
}

function priceWords(cents: number | null): string {
  return cents === null ? '–' : usdToTheCent(cents);
}

/** The sales that a move rests on. */
function Evidence({ card: { saleCount, lastSaleUsdCents, lastSaleAt } }: { card: MoverCard }) {
  return (
    <>
      {salesOf(saleCount)}, last {usd(lastSaleUsdCents)}
      {lastSaleAt !== null && (
        <>
          {' '}
          on <Day iso={lastSaleAt} />
        </>
      )}
    </>
  );
}
