import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { readDetail } from '../../items/detail.ts';
import { withLastSales } from '../../items/last-sales.ts';
import type { Located } from '../../items/locate/locate.ts';
import { overviewOf } from '../../items/overview.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import { newestTrades } from '../../sales/ledger.ts';
import type { WebContext } from '../context.ts';
import { CardCorrections } from '../corrections/correction-list.tsx';
import { count, usd } from '../format.ts';
import { Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { currencyOffer } from '../quote/conversion.ts';
import { spanWords } from '../quote/converted-words.ts';
import { siteOf } from '../site/site.ts';
import { gradeName, lineOf } from './card-facts.ts';
import { addressesOf, CardPage, Identity, SHOWN_CORRECTIONS, similarTo } from './card-frame.tsx';
import { overviewBlocks } from './card-json-ld.ts';
import { AuditLink, LastSaleNow, lastSaleOf } from './card-price.tsx';
import { type Grades, GradesTable, SalesAsData, TradesTable } from './card-tables.tsx';
import { apiPath, trailOf } from './card-words.ts';
import { GradeStrip } from './grade-strip.tsx';
import { GradesChart, gradeLines } from './history/grades-chart.tsx';
import { InCurrency } from './in-currency.tsx';

const SHOWN_SALES = 12;

/** The page of a card over all its grades. */
export async function cardOverviewPage(
  context: WebContext,
  located: Located,
  query: URLSearchParams,
): Promise<PageAnswer> {
  const { item } = located;
  const reading = readItemPrices(context.db, item.id);
  const [prices, { body: card }, recorded, similar, corrections, lines] = await Promise.all([
    reading,
    // Rarity, year and other printings, which the overview lacks.
    readDetail(context, located, reading),
    newestTrades(context.db, { itemId: item.id, gradeKey: null, limit: SHOWN_SALES }, context.fingerprint),
    similarTo(context.db, item),
    correctionsPage(context, { item, limit: SHOWN_CORRECTIONS }),
    reading.then((read) => gradeLines(context, read)),
  ]);
  const site = siteOf(context);
  const overview = overviewOf(item, prices.quotes);
  const { href } = overview;
  const grades = await withLastSales(
    context.db,
    overview.grades.map((one) => ({ ...one, id: item.id })),
  );
  const priced = grades.filter((one) => one.priceUsdCents !== null);
  const offer = await currencyOffer(context.db, query, priced[0]?.asOf ?? null);
  const line = lineOf(overview);
  return {
    ...addressesOf(href),
    title: `${line} prices`,
    description: `${line}: reference prices of ${count(priced.length)} ${priced.length === 1 ? 'grade' : 'grades'}, recorded sales, other languages and printings.`,
    section: 'cards',
    hasBreadcrumbs: true,
    trail: trailOf(item, href),
    blocks: overviewBlocks(site, overview, grades),
    isHidden: offer.conversion !== null,
    scripts: lines.length > 0 ? ['site', 'chart'] : ['site'],
    main: (
      <CardPage
        site={site}
        card={card}
        gradeLabel={null}
        href={href}
        call={`${apiPath(href)}/overview`}
        similar={similar}
        conversion={null}
        first={
          <>
            <Summary grades={grades} recorded={recorded} nowMs={context.clock()} />
            <InCurrency href={href} offer={offer} wordsOf={(conversion) => spanWords(conversion, priced)} />
            <GradeStrip grades={grades} />
            {lines.length > 0 && <GradesChart name={line} lines={lines} />}
          </>
        }
      >
        {grades.length > 0 && (
          <Section id="grades" title="All grades">
            <GradesTable grades={grades} />
          </Section>
        )}
        <Identity card={card} />
        <Section id="sales" title="Recorded sales" aside={recorded.total > 0 && <SalesAsData href={href} />}>
          {recorded.total === 0 ? (
            <p class="muted">No sale of this card is recorded yet.</p>
          ) : (
            <TradesTable trades={recorded.trades} total={recorded.total} />
          )}
        </Section>
        <CardCorrections {...corrections} itemId={item.id} />
      </CardPage>
    ),
  };
}

type SummaryOf = { grades: Grades; recorded: Parameters<typeof lastSaleOf>[0]; nowMs: number };

/** The range of prices over its grades, in a sentence; without one the last sale. */
function Summary({ grades, recorded, nowMs }: SummaryOf) {
  const priced = grades.filter((one) => one.priceUsdCents !== null);
  const highest = priced[0];
  const lowest = priced.at(-1);
  const isWithheld = grades.some(({ reason }) => reason !== undefined);
  const lastSale = isWithheld ? null : lastSaleOf(recorded);
  if (highest === undefined || lowest === undefined)
    return (
      <div class="price">
        {lastSale === null ? (
          <p class="price-none">No reference price</p>
        ) : (
          <LastSaleNow sale={lastSale} nowMs={nowMs} gradeLabel={lastSale.gradeLabel} />
        )}
        <p>
          {grades.length === 0
            ? 'There is no accepted sale of this card at any grade.'
            : isWithheld
              ? 'The prices are withheld: these sales may be those of another card.'
              : 'Too few sales are recorded, or too old ones, to name a price at any grade.'}
          {isWithheld && <AuditLink />}
        </p>
      </div>
    );
  return (
    <p class="lead">
      {highest === lowest ? (
        <>
          <strong>{usd(highest.priceUsdCents!)}</strong> in {gradeName(highest.gradeLabel!)}
        </>
      ) : (
        <>
          From <strong>{usd(lowest.priceUsdCents!)}</strong> in {gradeName(lowest.gradeLabel!)} to{' '}
          <strong>{usd(highest.priceUsdCents!)}</strong> in {gradeName(highest.gradeLabel!)}
        </>
      )}
      .
    </p>
  );
}
