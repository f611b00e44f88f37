import type { Page } from '../../web/page.ts';

const RULES = [
  'User-agent: *',
  'Disallow: /v1/',
  'Allow: /v1/indices/*.csv',
  'Allow: /v1/indices/*.json',
  'Disallow: /search?',
  'Disallow: /cert/',
];

/**
 * `/robots.txt` (RFC 9309). Searches are endless, slabs are looked up for people, and the API has its own budgets. The
 * index files are open data: the longest matching rule wins, so they are allowed under `/v1/`.
 */
export const robots: Page = {
  path: '/robots.txt',
  type: 'text/plain',
  maxAgeSeconds: 3600,
  answer: ({ config: { baseUrl } }) => ({
    body: `${RULES.join('\n')}\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
  }),
};
