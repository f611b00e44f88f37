import { readDetail } from '../../items/detail.ts';
import type { Located } from '../../items/locate.ts';
import { overviewOf } from '../../items/overview.ts';
import { similarCards } from '../../items/similar.ts';
import { newestTrades } from '../../items/trades/trades.ts';
import { attributionOf } from '../../items/view.ts';
import type { WebContext } from '../context.ts';
import { count, usd } from '../format.ts';
import { Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { Day } from '../price.tsx';
import { siteOf } from '../site/site.ts';
import { CardHead, OtherPrintings, SimilarCards, UseThis } from './card-frame.tsx';
import { overviewBlocks } from './card-json-ld.ts';
import { GradesTable, SalesAsData, TradesTable } from './card-tables.tsx';
import { apiPath, lineOf, trailOf } from './card-words.ts';

const SHOWN_SALES = 12;

/** The page of a card over all its grades. */
export async function cardOverviewPage(context: WebContext, located: Located): Promise<PageAnswer> {
  const [{ answer, quotes }, recorded, neighbours] = await Promise.all([
    // Rarity, year and other printings, which the overview lacks.
    readDetail(context, located, false),
    newestTrades(context, located, 'all', SHOWN_SALES),
    similarCards(context.db, located.item, false),
  ]);
  const site = siteOf(context);
  const { item } = located;
  const card = overviewOf(item, quotes);
  const { attribution } = attributionOf(context, item, null);
  const { body: more } = answer;
  const priced = card.grades.filter((one) => one.priceUsdCents !== null);
  const line = lineOf(card);
  const { rarity, year, imageUrlThumb } = more;
  return {
    title: `${line} prices`,
    description: `${line}: reference prices of ${count(priced.length)} ${priced.length === 1 ? 'grade' : 'grades'}, recorded sales, other languages and printings.`,
    path: card.href,
    section: 'cards',
    hasBreadcrumbs: true,
    trail: trailOf(item, card.href),
    blocks: overviewBlocks(site, card, card.grades),
    scripts: ['site'],
    shareImage: `${card.href}.png`,
    alternates: [{ type: 'text/markdown', href: `${card.href}.md` }],
    main: (
      <div class="wrap card-page">
        <CardHead site={site} card={{ ...card, rarity, year, imageUrlThumb }} gradeLabel={null}>
          <Summary grades={card.grades} />
          {card.grades.length > 0 && <GradesTable grades={card.grades} />}
        </CardHead>
        <Section id="sales" title="Recorded sales" aside={<SalesAsData href={card.href} />}>
          {recorded.total === 0 ? (
            <p class="muted">No sale of this card is recorded yet.</p>
          ) : (
            <TradesTable trades={recorded.trades} total={recorded.total} showsGrade />
          )}
        </Section>
        <OtherPrintings languages={more.otherLanguages} variants={more.otherVariants} />
        <SimilarCards site={site} cards={neighbours} />
        <UseThis href={card.href} call={`${apiPath(card.href)}/overview`} attribution={attribution} />
      </div>
    ),
  };
}

type Grades = ReturnType<typeof overviewOf>['grades'];

/** What its grades are worth, in a sentence. */
function Summary({ grades }: { grades: Grades }) {
  const priced = grades.filter((one) => one.priceUsdCents !== null);
  const highest = priced[0];
  const lowest = priced.at(-1);
  if (grades.length === 0)
    return (
      <div class="price">
        <p class="price-none">No reference price</p>
        <p>No sale of this card is recorded at any grade.</p>
      </div>
    );
  if (highest === undefined || lowest === undefined)
    return (
      <div class="price">
        <p class="price-none">No reference price</p>
        <p>Too few sales are recorded, or too old ones, to name a price at any grade.</p>
      </div>
    );
  return (
    <p class="lead">
      {highest === lowest ? (
        <>
          <strong>{usd(highest.priceUsdCents!)}</strong> in {highest.gradeLabel}
        </>
      ) : (
        <>
          From <strong>{usd(lowest.priceUsdCents!)}</strong> in {lowest.gradeLabel} to{' '}
          <strong>{usd(highest.priceUsdCents!)}</strong> in {highest.gradeLabel}
        </>
      )}
      {highest.updatedAt !== null && (
        <>
          , as of <Day iso={highest.updatedAt} />
        </>
      )}
      .
    </p>
  );
}
