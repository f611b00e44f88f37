import { gradeByKey } from '../../catalog/grades.ts';
import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import { readDetail } from '../../items/detail.ts';
import type { Located } from '../../items/locate/locate.ts';
import { overviewOf } from '../../items/overview.ts';
import { asOfDay } from '../../items/parameters/as-of.ts';
import { dayStartMs, formatDay } from '../../lib/day.ts';
import { readItemPrices } from '../../pricing/read/item-prices.ts';
import type { WebContext } from '../context.ts';
import { CorrectionNotice } from '../corrections/correction-notice.tsx';
import { briefDay } from '../format.ts';
import { Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { currencyOffer } from '../quote/conversion.ts';
import { siteOf } from '../site/site.ts';
import { MadeOf } from './card-explanation.tsx';
import { gradeName, lineOf } from './card-facts.ts';
import { CardPage, SHOWN_CORRECTIONS } from './card-frame.tsx';
import { PriceBlock } from './card-price.tsx';
import { GradesTable } from './card-tables.tsx';
import { apiPath, trailOf } from './card-words.ts';
import { PriceInCurrency } from './in-currency.tsx';

/** `?on=YYYY-MM-DD`: the page of a card at one grade as it was published at the close of that day. */
export async function cardOnDayPage(
  context: WebContext,
  located: Located,
  on: string,
  query: URLSearchParams,
): Promise<PageAnswer> {
  const { item } = located;
  const gradeKey = located.gradeKey!;
  const asOf = (await asOfDay(context.db, on, 'on'))!;
  const prices = await readItemPrices(context.db, item.id, { asOf });
  const [{ body: card }, { corrections }] = await Promise.all([
    readDetail(context, located, prices),
    correctionsPage(context, { item, limit: SHOWN_CORRECTIONS }),
  ]);
  const offer = await currencyOffer(context.db, query, card.asOf);
  const all = overviewOf(item, prices.quotes);
  const quote = prices.quotes.find((one) => one.gradeKey === gradeKey);
  const label = gradeName(gradeByKey(gradeKey)!.label);
  const closeDay = briefDay(new Date(dayStartMs(asOf)).toISOString());
  const href = `${card.href}?on=${formatDay(asOf)}`;
  return {
    path: href,
    shareImage: `${card.href}.png`,
    alternates: [{ type: 'text/markdown', href: `${card.href}.md?on=${formatDay(asOf)}` }],
    title: `${lineOf(card)}, ${label} price, close of ${closeDay}`,
    description: `What was published for ${lineOf(card)} in ${label} at the close of ${closeDay} (UTC).`,
    section: 'cards',
    hasBreadcrumbs: true,
    trail: trailOf(item, all.href, { name: label, href: card.href }),
    scripts: ['site'],
    // One for every day there is: each has its address, none has to be found.
    isHidden: true,
    main: (
      <CardPage
        site={siteOf(context)}
        card={card}
        gradeLabel={card.gradeLabel}
        href={href}
        call={`${apiPath(card.href)}?asOf=${formatDay(asOf)}`}
        similar={[]}
        conversion={offer.conversion}
        first={
          <>
            <p class="notice">
              Close of <span class="number">{closeDay}</span> (UTC), as published then.{' '}
              <a href={card.href}>The price today</a>
            </p>
            <CorrectionNotice
              corrections={corrections}
              gradeLabel={card.gradeLabel}
              closeDay={formatDay(asOf)}
              isPast
              listHref={`${card.href}#corrections`}
            />
            <PriceBlock
              card={card}
              recorded={{ trades: [], total: 0 }}
              move={quote?.unconfirmedMove ?? null}
              nowMs={dayStartMs(asOf)}
              inCurrency={<PriceInCurrency card={card} offer={offer} kept={{ on: formatDay(asOf) }} />}
            />
          </>
        }
      >
        {card.explanation !== null && <MadeOf explanation={card.explanation} game={card.game} label={label} />}
        {all.grades.length > 0 && (
          <Section id="grades" title="All grades on that day">
            <GradesTable grades={all.grades} closeDay={formatDay(asOf)} />
          </Section>
        )}
      </CardPage>
    ),
  };
}
