import { readdirSync, readFileSync } from 'node:fs';
import { Chips } from '../chips.tsx';
import { LongText } from '../long-text.tsx';
import type { Page } from '../page.ts';
import { contentsOf, htmlOf, titleOf } from '../prose/markdown.ts';

const FOLDER = new URL('../../../docs/methodology/', import.meta.url);

type Chapter = { file: string; path: string; nav: string; description: string };

const CHAPTERS: readonly Chapter[] = [
  {
    file: 'in-plain-words.md',
    path: '/methodology',
    nav: 'Prices in plain words',
    description: 'How a reference price comes from recorded sales, in plain words, with an example in figures.',
  },
  {
    file: 'pricing.md',
    path: '/methodology/model',
    nav: 'The price model',
    description: 'The formulas of the price model, its parameters, and how well it forecasts the next sale.',
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

const DRAWINGS = new Map(
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.svg'))
    .map((file) => [file, readFileSync(new URL(file, FOLDER), 'utf8')]),
);

/** `/methodology` and its chapters, each as a page and as Markdown, and the drawings in them. */
export const methodology: readonly Page[] = [
  ...CHAPTERS.flatMap(chapterPages),
  ...[...DRAWINGS].map(
    ([file, body]): Page => ({
      path: `/methodology/${file}`,
      type: 'image/svg+xml',
      maxAgeSeconds: 3600,
      answer: () => ({ body }),
    }),
  ),
];

function chapterPages(chapter: Chapter): Page[] {
  const { file, path, description } = chapter;
  // Comments mark what a command pastes.
  const text = readFileSync(new URL(file, FOLDER), 'utf8').replace(/<!-- (?:printed|end).*?-->\n+/g, '');
  const html = htmlOf(text, { linkOf: siteAddress, drawingOf: (href) => DRAWINGS.get(href) ?? null });
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
          <LongText
            head={
              <div class="page-head">
                <h1>{title}</h1>
                <Chapters current={chapter} />
              </div>
            }
            contents={contentsOf(html)}
          >
            <div dangerouslySetInnerHTML={{ __html: html }} />
          </LongText>
        ),
      }),
    },
    {
      path: `${path}.md`,
      type: 'text/markdown',
      maxAgeSeconds: 3600,
      answer: ({ config }) => ({ body: twin, canonical: config.baseUrl + path }),
    },
  ];
}

function Chapters({ current }: { current: Chapter }) {
  return (
    <nav aria-label="Chapters of the methodology">
      <Chips links={CHAPTERS.map(({ path, nav }) => ({ href: path, name: nav, isCurrent: path === current.path }))} />
    </nav>
  );
}

/** Chapters link each other by file name, with an anchor or without. */
function siteAddress(href: string, suffix = ''): string {
  const [name, anchor] = href.split('#');
  const chapter = CHAPTERS.find(({ file }) => file === name);
  if (chapter !== undefined) return chapter.path + suffix + (anchor === undefined ? '' : `#${anchor}`);
  return href.endsWith('.svg') ? `/methodology/${href}` : href;
}
