import type { Page } from '../../web/page.ts';

/** `/.well-known/api-catalog` (RFC 9727): where the API is, how it is described, whether it is up. */
export const apiCatalog: Page = {
  path: '/.well-known/api-catalog',
  type: 'application/linkset+json',
  maxAgeSeconds: 3600,
  answer: ({ config: { baseUrl } }) => ({
    body: JSON.stringify({
      linkset: [
        {
          anchor: `${baseUrl}/v1`,
          'service-desc': ['openapi.json', 'openapi-3.2.json'].map((file) => ({
            href: `${baseUrl}/v1/${file}`,
            type: 'application/openapi+json',
          })),
          'service-doc': [
            { href: `${baseUrl}/api`, type: 'text/html' },
            { href: `${baseUrl}/changelog`, type: 'text/html' },
          ],
          // Feeds of what is at the anchor (RFC 4287).
          alternate: [{ href: `${baseUrl}/changelog.xml`, type: 'application/atom+xml' }],
          status: [{ href: `${baseUrl}/v1/health`, type: 'application/json' }],
        },
      ],
    }),
  }),
};
