import { gradeByKey } from '../../catalog/grades.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { readDetail } from '../../items/detail.ts';
import type { Located } from '../../items/locate/locate.ts';
import { overviewOf } from '../../items/overview.ts';
import { lastScores } from '../../pricing/accuracy/card-scores.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import type { LiveListings } from '../../sales/listings-of-series.ts';
import { LastSales, SHOWN_SCORES } from '../accuracy/scored-sales.tsx';
import type { ChartWindow } from '../chart/chart-window.ts';
import type { WebContext } from '../context.ts';
import { CardCorrections } from '../corrections/correction-list.tsx';
import { CorrectionNotice } from '../corrections/correction-notice.tsx';
import { count, usd } from '../format.ts';
import { Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { currencyOffer } from '../quote/conversion.ts';
import { siteOf } from '../site/site.ts';
import { MadeOf } from './card-explanation.tsx';
import { gradeName, lineOf } from './card-facts.ts';
import { addressesOf, CardPage, Identity, SHOWN_CORRECTIONS, similarTo } from './card-frame.tsx';
import { gradedProduct } from './card-json-ld.ts';
import { PriceBlock } from './card-price.tsx';
import { GradesTable, SalesAsData, TradesTable } from './card-tables.tsx';
import { apiPath, closeOf, descriptionOf, trailOf } from './card-words.ts';
import { historyOf, isEmpty, LISTED_DAYS, pricesBefore } from './history/card-history.ts';
import { PriceChart } from './history/price-chart.tsx';
import { priceFilesOf } from './history/price-files.tsx';
import { PriceInCurrency } from './in-currency.tsx';

const SHOWN_SALES = 12;

/** The page of a card at one grade. */
export async function cardGradedPage(
  context: WebContext,
  located: Located,
  named: ChartWindow | null,
  query: URLSearchParams,
): Promise<PageAnswer> {
  const { item } = located;
  const gradeKey = located.gradeKey!;
  const nowMs = context.clock();
  // First: it reads the prices of what it finds.
  const findingSimilar = similarTo(context.db, item);
  const reading = readItemPrices(context.db, item.id);
  const [prices, { body: card }, history, similar, scores, corrections] = await Promise.all([
    reading,
    readDetail(context, located, reading),
    historyOf(context, { itemId: item.id, gradeKey }, named, reading),
    findingSimilar,
    lastScores(context.db, { itemId: item.id, gradeKey }, reading, SHOWN_SCORES),
    correctionsPage(context, { item, limit: SHOWN_CORRECTIONS }),
  ]);
  const { chart, window, usual, recorded, live, soldIn30Days } = history;
  const offer = await currencyOffer(context.db, query, card.asOf);
  const shownSales = recorded.trades.slice(0, SHOWN_SALES);
  const before = await pricesBefore(context, prices, gradeKey, shownSales);
  const all = overviewOf(item, prices.quotes);
  const quote = prices.quotes.find((one) => one.gradeKey === gradeKey);
  const site = siteOf(context);
  const label = gradeName(gradeByKey(gradeKey)!.label);
  const isTracked = all.grades.some(({ href }) => href === card.href);
  return {
    ...addressesOf(card.href),
    title: `${lineOf(card)}, ${label} price`,
    description: descriptionOf(card),
    section: 'cards',
    hasBreadcrumbs: true,
    trail: trailOf(item, all.href, { name: label, href: card.href }),
    blocks: [gradedProduct(site, card, { listings: live, soldIn30Days: isTracked ? soldIn30Days : null })],
    scripts: ['site', 'chart'],
    // Of the seventy grades that a card could have, only those that sold or were graded are worth finding.
    isHidden: !isTracked || offer.conversion !== null,
    main: (
      <CardPage
        site={site}
        card={card}
        gradeLabel={card.gradeLabel}
        href={card.href}
        call={apiPath(card.href)}
        similar={similar}
        conversion={offer.conversion}
        first={
          <>
            <CorrectionNotice
              {...corrections}
              gradeLabel={card.gradeLabel}
              closeDay={closeOf(card)?.slice(0, 10) ?? null}
              listHref="#corrections"
            />
            <PriceBlock
              card={card}
              recorded={recorded}
              move={quote?.unconfirmedMove ?? null}
              nowMs={nowMs}
              inCurrency={<PriceInCurrency card={card} offer={offer} kept={{ window: named }} />}
            />
            {live !== null && <Listings listings={live} />}
          </>
        }
      >
        {card.explanation !== null && <MadeOf explanation={card.explanation} game={card.game} label={label} />}
        {!(isEmpty(chart) && recorded.total === 0) && (
          <Section id="history" title="Price history">
            <PriceChart
              href={card.href}
              name={`${card.name}, ${label}`}
              window={window}
              usual={usual}
              kept={offer.conversion === null ? undefined : `currency=${offer.conversion.currency}`}
              files={priceFilesOf(site, card.href, `${lineOf(card)}, ${label}`, window)}
              data={chart}
              salesLeftOut={recorded.total - recorded.trades.length}
            />
          </Section>
        )}
        <Identity card={card} />
        {all.grades.length > 0 && (
          <Section id="grades" title="All grades" aside={<a href={all.href}>All grades of this card</a>}>
            <GradesTable grades={all.grades} currentHref={card.href} />
          </Section>
        )}
        <Section id="sales" title={`Recorded sales at ${label}`} aside={<SalesAsData href={card.href} />}>
          {recorded.total === 0 ? (
            <p class="muted">None at this grade yet.</p>
          ) : (
            <TradesTable trades={shownSales} total={recorded.total} prices={before} />
          )}
        </Section>
        <LastSales scores={scores} />
        <CardCorrections {...corrections} itemId={item.id} />
      </CardPage>
    ),
  };
}

function Listings({ listings: { count: live, lowUsdCents, highUsdCents } }: { listings: LiveListings }) {
  return (
    <p class="live">
      {live === 1 ? 'One live listing' : `${count(live)} live listings`} seen in the past {LISTED_DAYS} days, asking{' '}
      {usd(lowUsdCents)}
      {highUsdCents > lowUsdCents && ` to ${usd(highUsdCents)}`}. Asking prices never affect the reference price.
    </p>
  );
}
