import type { Page } from '../../web/page.ts';

/**
 * `/robots.txt` (RFC 9309). Searches are endless and slabs are looked up for people, so neither is for crawlers; the API
 * has budgets of its own.
 */
export const robots: Page = {
  path: '/robots.txt',
  type: 'text/plain',
  maxAgeSeconds: 3600,
  answer: ({ config: { baseUrl } }) => ({
    body: `User-agent: *\nDisallow: /v1/\nDisallow: /search?\nDisallow: /cert/\nDisallow: /card/*/chart\n\nSitemap: ${baseUrl}/sitemap.xml\n`,
  }),
};
