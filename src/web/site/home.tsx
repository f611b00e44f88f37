import { within } from '../../http/within.ts';
import { publicIndices } from '../../indices/rows.ts';
import { tilesOf } from '../../indices/tiles.ts';
import { featuredCards } from '../../items/featured.ts';
import { type GameView, gamesOf } from '../../items/games.ts';
import { recentTradesOf } from '../../items/trades/recent-trades.ts';
import { counted } from '../../lib/counted.ts';
import { salesOf } from '../card/card-words.ts';
import { percentMove, usd } from '../format.ts';
import { IndexTiles } from '../index/index-tile.tsx';
import { SearchForm, Section } from '../layout.tsx';
import type { Page } from '../page.ts';
import { CardTiles } from '../tile.tsx';
import { GamesTable } from './games-table.tsx';
import { type Hero, HeroCard, heroOf } from './hero-card.tsx';
import { LatestSales } from './latest-sales.tsx';
import { type Site, siteOf } from './site.ts';

const MOVERS = 6;
const TRADES = 12;
/** After a close the moves of a large ledger are computed for some seconds: the rest of the page does not wait for them. */
const MOVERS_WITHIN_MS = 1000;

/** `/` */
export const home: Page = {
  path: '/',
  maxAgeSeconds: 60,
  async answer(context) {
    const { db } = context;
    const site = siteOf(context);
    const [tiles, movers, trades, games] = await Promise.all([
      publicIndices(db).then((indices) => tilesOf(db, indices)),
      within(MOVERS_WITHIN_MS, featuredCards(db, MOVERS, { withTags: false })),
      recentTradesOf(context, TRADES),
      gamesOf(db),
    ]);
    const moved = movers?.body.cards ?? null;
    const hero = await heroOf(context, moved ?? [], trades.body.trades);
    return {
      noStore: moved === null,
      title: `${site.name}: reference prices for trading cards and graded slabs`,
      description:
        'Reference prices for trading cards and graded slabs, modeled from recorded sales: dated, with a range, rejected sales shown, every number reproducible.',
      path: '/',
      hasSearch: true,
      main: (
        <>
          <Welcome site={site} games={games} hero={hero} />
          <div class="wrap">
            <Section id="markets" title="Market indices" aside={<a href="/indices">All indices</a>}>
              <IndexTiles tiles={tiles} heading="h3" />
            </Section>
            <Section id="movers" title="Biggest moves on recent sales" aside={<a href="/movers">All movers</a>}>
              <Movers site={site} cards={moved} />
            </Section>
            <Section id="trades" title="Latest sales" aside={<a href="/sales">All sales</a>}>
              <LatestSales site={site} trades={trades.body.trades} />
            </Section>
            <Section id="games" title="Games" aside={<a href="/card">All sets</a>}>
              <GamesTable games={games} />
            </Section>
            <Trust />
          </div>
        </>
      ),
    };
  },
};

function Welcome({ site, games, hero }: { site: Site; games: readonly GameView[]; hero: Hero | null }) {
  const cards = games.reduce((sum, { itemCount }) => sum + itemCount, 0);
  return (
    <div class="welcome">
      <div class="wrap">
        <div class="welcome-words">
          <h1>What a card is worth, and how we know</h1>
          <p class="lead">
            Reference prices for trading cards and graded slabs, modeled from recorded sales. Every price has a date, a
            range and the sales behind it.
          </p>
          <SearchForm query="" isLarge />
          <p class="muted small">
            {counted(cards, 'card')} from {counted(games.filter(({ itemCount }) => itemCount > 0).length, 'game')}. Have
            a slab in hand? <a href="/cert">Look it up by its cert number</a>
          </p>
        </div>
        {hero !== null && <HeroCard site={site} hero={hero} />}
      </div>
    </div>
  );
}

type Movers = Awaited<ReturnType<typeof featuredCards>>['body']['cards'];

/** `cards` is null while they are being computed. */
function Movers({ site, cards }: { site: Site; cards: Movers | null }) {
  if (cards === null)
    return <p class="empty">The moves of the last close are being computed. Load this page again in a moment.</p>;
  if (cards.length === 0)
    return (
      <p class="empty">
        No card has moved on its own sales in the last 30 days. We list a card when at least two sales moved its price,
        or one within the range published before it.
      </p>
    );
  return <CardTiles site={site} cards={cards.map((card) => ({ ...card, note: moveNote(card) }))} />;
}

/** `2 sales in 7 days, last $120`; of a longer window with the move, which the tile shows of 7 days. */
function moveNote({ movePct, moveWindowDays, saleCount, lastSaleUsdCents }: Movers[number]): string {
  const sales = `${salesOf(saleCount)} in ${moveWindowDays} days, last ${usd(lastSaleUsdCents)}`;
  return moveWindowDays === 7 ? sales : `${percentMove(movePct)}, ${sales}`;
}

/** Why a number here can be believed, and where to check. */
function Trust() {
  return (
    <Section id="trust" title="Why trust a number here">
      <ul class="reasons">
        <li>
          <h3>Dated, with a range</h3>
          <p>
            Every price carries its date and a range that should contain the true value 80% of the time. When too few
            sales support a price, we show none and say why.
          </p>
        </li>
        <li>
          <h3>Checked against later sales</h3>
          <p>
            Ranges and confidence are compared with what cards then sold for, with a command anyone can run.{' '}
            <a href="/research">What we measured</a>
          </p>
        </li>
        <li>
          <h3>Rejected sales stay visible</h3>
          <p>
            Outliers, lots and duplicates stay listed with the card, marked, with the reason they do not count.{' '}
            <a href="/methodology">How a price is made</a>
          </p>
        </li>
        <li>
          <h3>Reproducible</h3>
          <p>
            The method is published step by step, and you can download everything an index is computed from.{' '}
            <a href="/methodology/index">The rulebook</a>
          </p>
        </li>
      </ul>
    </Section>
  );
}
