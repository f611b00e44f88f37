import { gradeByKey } from '../catalog/grades.ts';
import type { Context } from '../http/context.ts';
import { detail } from '../items/detail.ts';
import { fmvSeries } from '../items/fmv-series.ts';
import { itemHref } from '../items/item-row.ts';
import type { Located } from '../items/locate.ts';
import { similar } from '../items/similar.ts';
import { trades } from '../items/trades.ts';
import { MS_PER_DAY } from '../lib/day.ts';
import { liveListingsOf } from '../sales/live-listings.ts';
import { CardHead, OtherPrintings, SimilarCards, UseThis } from './card-frame.tsx';
import { CHART_SALES, historyOf, isEmpty, type Window } from './card-history.ts';
import { type Evidence, gradedProduct } from './card-json-ld.ts';
import { PriceBlock } from './card-price.tsx';
import { GradesTable, TradesTable } from './card-tables.tsx';
import { descriptionOf, lineOf, trailOf } from './card-words.ts';
import { Chart } from './chart.tsx';
import { count, usd } from './format.ts';
import { pageText, Section } from './layout.tsx';
import type { PageAnswer } from './page.ts';
import { siteOf } from './site.ts';

const SHOWN_SALES = 20;
/** Structured data tell of no deeper history. */
const PUBLIC_DAYS = 30;

/** The page of a card at one grade. */
export async function cardGradedPage(context: Context, located: Located, window: Window): Promise<PageAnswer> {
  const { item } = located;
  const gradeKey = located.gradeKey!;
  const [{ body: card, lastModifiedMs }, recorded, neighbours, evidence] = await Promise.all([
    detail.view(context, located, {}),
    recordedSales(context, located),
    similar.view(context, located, {}),
    evidenceOf(context, located),
  ]);
  const data = await historyOf(context, located, window, recorded);
  const site = siteOf(context);
  const nowMs = context.clock();
  const { label } = gradeByKey(gradeKey)!;
  const isTracked = card.otherGrades.some(({ current }) => current);
  const grades = card.otherGrades.toSorted((a, b) => (b.priceUsdCents ?? 0) - (a.priceUsdCents ?? 0));
  const cardHref = itemHref(item, null);
  const body = pageText(site, {
    title: `${lineOf(card)}, ${label} price`,
    description: descriptionOf(card),
    path: card.href,
    section: 'cards',
    trail: trailOf(item, cardHref, { name: label, href: card.href }),
    blocks: [gradedProduct(site, card, { ...evidence, soldIn30Days: isTracked ? evidence.soldIn30Days : null })],
    scripts: ['site', 'chart'],
    shareImage: `${card.href}.png`,
    alternates: [{ type: 'text/markdown', href: `${card.href}.md` }],
    // Of the seventy grades that a card could have, only those that sold or were graded are worth finding.
    isHidden: !isTracked,
    main: (
      <div class="wrap card-page">
        <CardHead site={site} card={card} gradeLabel={label}>
          <PriceBlock card={card} recordedSales={recorded.total} nowMs={nowMs} />
          {evidence.listings !== null && (
            <p class="live">
              <strong>{count(evidence.listings.count)}</strong> live{' '}
              {evidence.listings.count === 1 ? 'listing' : 'listings'} seen in the last {PUBLIC_DAYS} days, from{' '}
              {usd(evidence.listings.lowUsdCents)} to {usd(evidence.listings.highUsdCents)}. Asks are not sales: they do
              not enter the price.
            </p>
          )}
        </CardHead>
        <Section id="history" title="Price history">
          {isEmpty(data) ? (
            <p class="muted">Nothing is recorded at {label} in this window.</p>
          ) : (
            <Chart
              href={card.href}
              name={`${card.name}, ${label}`}
              window={window}
              data={data}
              salesLeftOut={recorded.total - recorded.trades.length}
            />
          )}
        </Section>
        {grades.length > 0 && (
          <Section id="grades" title="All grades" aside={<a href={cardHref}>Overview of this card</a>}>
            <GradesTable grades={grades} asOf={grades.find((one) => one.current) ? card.updatedAt : null} />
          </Section>
        )}
        <Section id="sales" title={`Recorded sales at ${label}`}>
          {recorded.total === 0 ? (
            <p class="muted">None at this grade yet.</p>
          ) : (
            <TradesTable trades={recorded.trades.slice(0, SHOWN_SALES)} total={recorded.total} showsGrade={false} />
          )}
        </Section>
        <OtherPrintings languages={card.otherLanguages} variants={card.otherVariants} />
        <SimilarCards site={site} cards={neighbours.body.similar} />
        <UseThis card={card} />
      </div>
    ),
  });
  return { body, lastModifiedMs };
}

/** The newest sales of a card at its grade, as many as a chart has room for. */
export async function recordedSales(context: Context, located: Located) {
  return (await trades.view(context, located, { scope: 'grade', limit: String(CHART_SALES) })).body;
}

async function evidenceOf(context: Context, located: Located): Promise<Evidence> {
  const [listings, { body }] = await Promise.all([
    liveListingsOf(context.db, {
      itemId: located.item.id,
      gradeKey: located.gradeKey!,
      sinceMs: context.clock() - PUBLIC_DAYS * MS_PER_DAY,
    }),
    fmvSeries.view(context, located, { window: String(PUBLIC_DAYS) }),
  ]);
  return { listings, soldIn30Days: body.points.reduce((sum, { n }) => sum + n, 0) };
}
