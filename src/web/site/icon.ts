import type { Page } from '../page.ts';

/** `/icon.svg`: the mark, in a green that is seen on light and dark tabs. */
export const icon: Page = {
  path: '/icon.svg',
  type: 'image/svg+xml',
  maxAgeSeconds: 86_400,
  answer: () => ({
    body:
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="11" fill="#0f8a6c"/>' +
      '<path d="M6.5 17V7.6L12 13.4l5.5-5.8V17" fill="none" stroke="#fff" stroke-width="2.2" stroke-linejoin="round"/></svg>',
  }),
};
