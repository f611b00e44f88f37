import { pageText } from './layout.tsx';
import type { Page } from './page.ts';
import { siteOf } from './site.ts';

/** `/about` */
export const about: Page = {
  path: '/about',
  type: 'text/html',
  maxAgeSeconds: 300,
  answer(context) {
    const site = siteOf(context);
    const description = 'What this service is, where its numbers come from, and how to check them.';
    const body = pageText(site, {
      title: 'About',
      description,
      path: '/about',
      trail: [{ name: 'About', href: '/about' }],
      blocks: [
        {
          '@context': 'https://schema.org',
          '@type': 'AboutPage',
          name: `About ${site.name}`,
          url: `${site.baseUrl}/about`,
          description,
        },
      ],
      main: (
        <div class="wrap prose page-head">
          <h1>About {site.name}</h1>
          <p>{description}</p>
        </div>
      ),
    });
    return { body };
  },
};
