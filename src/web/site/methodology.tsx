import { readFileSync } from 'node:fs';
import { Chips } from '../chips.tsx';
import { htmlOf, titleOf } from '../markdown.ts';
import type { Page } from '../page.ts';

const FOLDER = new URL('../../../docs/methodology/', import.meta.url);

type Chapter = { file: string; path: string; nav: string; description: string };

const CHAPTERS: readonly Chapter[] = [
  {
    file: 'pricing.md',
    path: '/methodology',
    nav: 'Prices',
    description:
      'How a reference price is computed from recorded sales: the model, its range and confidence, and which sales are rejected.',
  },
  {
    file: 'index.md',
    path: '/methodology/index',
    nav: 'Indices',
    description: 'The rulebook of the market indices, precise enough to reproduce a level by hand.',
  },
  {
    file: 'record.md',
    path: '/methodology/record',
    nav: 'Record',
    description: 'What every close publishes, signed, and how anyone can compute a price again from a receipt.',
  },
  {
    file: 'index-guide.md',
    path: '/methodology/index-guide',
    nav: 'Index on a guide',
    description: 'What the index method makes of six years of a public monthly price guide.',
  },
];

/** `/methodology` and its chapters, each as a page and as Markdown, and the drawings in them. */
export const methodology: readonly Page[] = [
  ...CHAPTERS.flatMap(chapterPages),
  {
    path: '/methodology/index-guide.svg',
    type: 'image/svg+xml',
    maxAgeSeconds: 3600,
    answer: () => ({ body: readFileSync(new URL('index-guide.svg', FOLDER)) }),
  },
];

function chapterPages(chapter: Chapter): Page[] {
  const { file, path, description } = chapter;
  // Comments mark what a command pastes.
  const text = readFileSync(new URL(file, FOLDER), 'utf8').replace(/<!--.*?-->\n+/g, '');
  const html = htmlOf(text, siteAddress);
  const title = titleOf(text);
  const twin = text.replace(/\]\(([^)]+)\)/g, (_, href: string) => `](${siteAddress(href, '.md')})`);
  return [
    {
      path,
      maxAgeSeconds: 3600,
      answer: () => ({
        title,
        description,
        path,
        trail: [
          { name: 'Methodology', href: '/methodology' },
          ...(path === '/methodology' ? [] : [{ name: title, href: path }]),
        ],
        alternates: [{ type: 'text/markdown', href: `${path}.md` }],
        main: (
          <div class="wrap document">
            <div class="page-head">
              <h1>{title}</h1>
              <Chapters current={chapter} />
            </div>
            <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />
          </div>
        ),
      }),
    },
    { path: `${path}.md`, type: 'text/markdown', maxAgeSeconds: 3600, answer: () => ({ body: twin }) },
  ];
}

function Chapters({ current }: { current: Chapter }) {
  return (
    <nav aria-label="Chapters of the methodology">
      <Chips links={CHAPTERS.map(({ path, nav }) => ({ href: path, name: nav, isCurrent: path === current.path }))} />
    </nav>
  );
}

/** Chapters link each other by file name. */
function siteAddress(href: string, suffix = ''): string {
  const chapter = CHAPTERS.find(({ file }) => file === href);
  if (chapter !== undefined) return chapter.path + suffix;
  return href.endsWith('.svg') ? `/methodology/${href}` : href;
}
