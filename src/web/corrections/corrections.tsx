import { correctionsPage } from '../../items/corrections/corrections-page.ts';
import type { Page } from '../page.ts';
import { siteOf } from '../site/site.ts';
import { CorrectionList } from './correction-list.tsx';

export const CORRECTIONS_A_PAGE = 50;
export const DESCRIPTION =
  'Published prices and what would change them today: sales voided, corrected or moved to another card, accepted reports, and new versions of the price model.';
const FEED = { type: 'application/atom+xml', href: '/corrections.xml', title: 'Corrections' };

/** `/corrections`: those of all cards, newest first; `after` goes on to older ones. */
export const correctionsOfAll: Page = {
  path: '/corrections',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const site = siteOf(context);
    const after = query.get('after') ?? '';
    const { corrections, nextCursor } = await correctionsPage(context, {
      item: null,
      limit: CORRECTIONS_A_PAGE,
      after,
    });
    return {
      title: 'Corrections',
      description: DESCRIPTION,
      path: '/corrections',
      hasBreadcrumbs: true,
      trail: [{ name: 'Corrections', href: '/corrections' }],
      alternates: [{ type: 'text/markdown', href: '/corrections.md' }, FEED],
      isHidden: after !== '',
      blocks: [
        {
          '@context': 'https://schema.org',
          '@type': 'CollectionPage',
          name: 'Corrections',
          url: `${site.baseUrl}/corrections`,
          description: DESCRIPTION,
          isPartOf: { '@id': `${site.baseUrl}/#website` },
          publisher: { '@id': `${site.baseUrl}/#organization` },
        },
      ],
      main: (
        <div class="wrap">
          <div class="page-head prose">
            <h1>Corrections</h1>
            <p class="lead">
              A published price is never rewritten. What becomes known later enters the next close, and is listed here
              with the price before, the price at that close, and the days that would differ if they were computed
              today.
            </p>
          </div>
          <p class="muted prose">
            Levels of an index have corrections of their own: they are in the <a href="/indices">downloads</a> of each
            index. <a href="/report">Report a wrong number</a>, or follow the <a href={FEED.href}>feed</a>.
          </p>
          {corrections.length === 0 ? (
            <p class="empty">{after === '' ? 'Nothing has been corrected yet.' : 'There are no older corrections.'}</p>
          ) : (
            <CorrectionList corrections={corrections} showsCard />
          )}
          {nextCursor !== null && (
            <p>
              <a href={`/corrections?after=${nextCursor}`} rel="next">
                Older corrections
              </a>
            </p>
          )}
        </div>
      ),
    };
  },
};
