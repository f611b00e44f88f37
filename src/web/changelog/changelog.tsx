import { atom, newestOf } from '../feeds/atom.ts';
import { briefDay } from '../format.ts';
import { LongText } from '../long-text.tsx';
import type { Page } from '../page.ts';
import { contentsOf, htmlOf } from '../prose/markdown.ts';
import { apiChanges } from './api-changes.ts';

const TITLE = 'API changelog';
const DESCRIPTION = 'What changed for programs that call the API, newest first.';
const MAX_AGE_SECONDS = 3600;

const DAY_HEADING = />(\d{4}-\d\d-\d\d)<\/h2>/g;

/** `/changelog`: what changed for callers of the API. */
const page: Page = {
  path: '/changelog',
  maxAgeSeconds: MAX_AGE_SECONDS,
  answer() {
    const html = htmlOf(apiChanges().markdown).replaceAll(DAY_HEADING, (_, day: string) => `>${briefDay(day)}</h2>`);
    return {
      title: TITLE,
      description: DESCRIPTION,
      path: '/changelog',
      trail: [
        { name: 'API', href: '/api' },
        { name: TITLE, href: '/changelog' },
      ],
      hasBreadcrumbs: true,
      alternates: [
        { type: 'text/markdown', href: '/changelog.md' },
        { type: 'application/atom+xml', href: '/changelog.xml', title: TITLE },
      ],
      main: (
        <LongText
          head={
            <div class="page-head prose">
              <h1>{TITLE}</h1>
              <p class="lead">
                {DESCRIPTION} <a href="/changelog.xml">Feed</a>
              </p>
            </div>
          }
          contents={contentsOf(html)}
        >
          <div dangerouslySetInnerHTML={{ __html: html }} />
        </LongText>
      ),
    };
  },
};

const twin: Page = {
  path: '/changelog.md',
  type: 'text/markdown',
  maxAgeSeconds: MAX_AGE_SECONDS,
  answer({ config }) {
    return { body: apiChanges().markdown, canonical: `${config.baseUrl}/changelog` };
  },
};

/** `/changelog.xml`: an entry a day (Atom, RFC 4287). */
const feed: Page = {
  path: '/changelog.xml',
  type: 'application/atom+xml',
  maxAgeSeconds: MAX_AGE_SECONDS,
  answer(context) {
    const entries = apiChanges().days.map(({ day, markdown }) => {
      const url = `${context.config.baseUrl}/changelog#${day}`;
      return { id: url, url, title: `${TITLE}, ${day}`, summary: plain(markdown), updated: `${day}T00:00:00.000Z` };
    });
    const updated = newestOf(entries.map((entry) => entry.updated));
    return { body: atom(context, { title: TITLE, path: '/changelog.xml', page: '/changelog', updated, entries }) };
  },
};

/** The list as a page, as Markdown and as a feed. */
export const changelog: readonly Page[] = [page, twin, feed];

/** The sentences of a list, without marks of Markdown. */
function plain(markdown: string): string {
  return markdown.replace(/^- /gm, '').replaceAll('`', '').replace(/\s+/g, ' ');
}
