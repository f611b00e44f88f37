import type { ComponentChildren } from 'preact';
import { KEPT_DAYS } from '../../access/quota-blocks.ts';
import { brandOf } from '../layout.tsx';
import { LongText } from '../long-text.tsx';
import type { Page } from '../page.ts';
import { type Site, siteOf } from './site.ts';

const DESCRIPTION = 'What this service is, where its numbers come from, what they are not, and how to check them.';

/** `/about` */
export const about: Page = {
  path: '/about',
  maxAgeSeconds: 3600,
  answer(context) {
    const site = siteOf(context);
    return {
      title: 'About',
      description: DESCRIPTION,
      path: '/about',
      blocks: [
        {
          '@context': 'https://schema.org',
          '@type': 'AboutPage',
          name: `About ${site.name}`,
          url: `${site.baseUrl}/about`,
          description: DESCRIPTION,
          about: { '@id': `${site.baseUrl}/#organization` },
        },
      ],
      main: <AboutText site={site} />,
    };
  },
};

function AboutText({ site }: { site: Site }) {
  return (
    <LongText
      head={
        <div class="page-head prose">
          <h1>About {brandOf(site)}</h1>
          <p class="lead">{DESCRIPTION}</p>
        </div>
      }
      contents={PARTS}
    >
      <Part id="what">
        <p>
          A reference price is what we believe one printing of a card, at one grade of one company, would fetch today at
          a public auction. It is modeled from recorded sales and is neither an offer to buy or sell nor an appraisal.
        </p>
        {site.isDemo && (
          <p>
            <strong>This installation is a demonstration.</strong> Its cards are real; its sales are simulated, so none
            of its prices reflects a real market.
          </p>
        )}
      </Part>
      <Part id="sources">
        <p>
          From completed sales imported by this site's operator. Each keeps its source and day. Listings are shown
          separately and never count as sales. Cards come from published catalogs of nine games.
        </p>
        <p>
          No sale is hidden: one that does not count, such as a lot, a duplicate or a price that fits nothing, stays
          listed with the reason.
        </p>
      </Part>
      <Part id="trust">
        <p>
          Every price has a day, a range that should contain the true value 80% of the time, and a confidence. Both are
          compared with the sales that follow, and the model learns from where it was wrong. Without enough sales a page
          says that there is no price. <a href="/methodology">How a price is made</a> and{' '}
          <a href="/methodology/index">the rulebook of the indices</a> are public; so is{' '}
          <a href="/research">what we measured</a>, also where it fell short.
        </p>
      </Part>
      <Part id="privacy">
        <p>
          Pages set no cookie and load nothing from other sites
          {site.imageHosts.length > 0 && ', except pictures of cards from their catalogs'}. All but the watchlist and
          the scan page work without scripts. Photos of the scan page are processed in memory and never stored; the
          watchlist stays in your browser. We count requests per IP address to limit scraping, and delete the counts
          within {KEPT_DAYS + 1} days.
        </p>
      </Part>
      <Part id="owners">
        <p>
          Names, art and marks of the cards belong to their owners, who have nothing to do with this site. Numbers may
          be quoted with a link to the page that shows them. <a href="/report">Report an error</a>;{' '}
          <a href="/partners">apply for a key</a>; or read <a href="/api">what the API answers</a>.
        </p>
      </Part>
    </LongText>
  );
}

const PARTS = [
  { id: 'what', title: 'What it is' },
  { id: 'sources', title: 'Where the numbers come from' },
  { id: 'trust', title: 'How far to trust a number' },
  { id: 'privacy', title: 'Your privacy' },
  { id: 'owners', title: 'Whose it is' },
] as const;

function Part({ id, children }: { id: (typeof PARTS)[number]['id']; children: ComponentChildren }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{PARTS.find((part) => part.id === id)!.title}</h2>
      {children}
    </section>
  );
}
