import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Name } from './card/name.tsx';
import { type Freshest, FreshnessLine } from './freshness-line.tsx';
import { breadcrumbBlock, type Crumb, type JsonLdBlock, jsonLdText, siteBlocks } from './json-ld.ts';
import { LastClose } from './price.tsx';
import { Lens, Mark, Star } from './site/header-icons.tsx';
import type { Site } from './site/site.ts';

/** The content of a page and of its head. */
export type PageContent = {
  /** Without the site's name, which follows it. */
  title: string;
  description: string;
  /** Canonical address, site-relative; null for content without one, such as an error. */
  path: string | null;
  main: VNode;
  /** The way here from home; the page itself comes last. Empty on the home page. */
  trail?: readonly Crumb[];
  /** The trail is in the structured data too. */
  hasBreadcrumbs?: boolean;
  /** Structured data in addition to that of every page. */
  blocks?: readonly JsonLdBlock[];
  /** Names of scripts in `client/`. The page is whole without them. */
  scripts?: readonly string[];
  /** Site-relative address of a picture for shared links; absent: that of the site. */
  shareImage?: string;
  /** The same content in other types: site-relative. */
  alternates?: readonly { type: string; href: string; title?: string }[];
  /** Not to be found by search engines. */
  isHidden?: boolean;
  /** The section of the navigation that the page belongs to. */
  section?: Section;
  /** The page itself has a search field. */
  hasSearch?: boolean;
};

const SECTIONS = [
  ['cards', '/card', 'Cards'],
  ['movers', '/movers', 'Movers'],
  ['sales', '/sales', 'Sales'],
  ['indices', '/indices', 'Indices'],
  ['cert', '/cert', 'Slabs'],
  ['scan', '/scan', 'Scan'],
] as const;

/** `watch` is the star next to the search. */
export type Section = (typeof SECTIONS)[number][0] | 'watch';

const FOOTER = [
  ['/worth', 'Value a list'],
  ['/methodology', 'Methodology'],
  ['/accuracy', 'Accuracy'],
  ['/corrections', 'Corrections'],
  ['/audit', 'Audit'],
  ['/research', 'Research'],
  ['/status', 'Status'],
  ['/about', 'About'],
  ['/api', 'API reference'],
  ['/partners', 'Partners'],
  ['/report', 'Report a problem'],
] as const;

const SITE_IMAGE = '/share/site.png';

/** Scripts of every page: the search field is on each, and cards to watch are on most. */
const EVERYWHERE = ['suggest', 'star'];

/** What the prices of a page rest on: the newest sale, and when the last close ran. */
export type PageBasis = Freshest & { closedAtMs: number | null };

/** A whole page as text; `basis` is null where it is not known. */
export function pageText(site: Site, page: PageContent, basis: PageBasis | null = null): string {
  const document = (
    <LastClose.Provider value={basis?.closedAtMs ?? null}>
      <Document site={site} page={page} freshest={basis} />
    </LastClose.Provider>
  );
  return `<!doctype html>${renderToString(document)}`;
}

function Document({ site, page, freshest }: { site: Site; page: PageContent; freshest: Freshest | null }) {
  const { title, description, path, trail = [], alternates = [] } = page;
  const scripts = [...EVERYWHERE, ...(page.scripts ?? [])];
  const fullTitle = path === '/' ? title : `${title} · ${site.name}`;
  const url = path === null ? null : site.baseUrl + path;
  const blocks = [
    ...siteBlocks(site),
    ...(page.hasBreadcrumbs ? [breadcrumbBlock(site, trail)] : []),
    ...(page.blocks ?? []),
  ];
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{fullTitle}</title>
        <meta name="description" content={description} />
        <link rel="stylesheet" href={site.assets.styles} />
        {url && <link rel="canonical" href={url} />}
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbfaf7" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101516" media="(prefers-color-scheme: dark)" />
        {page.isHidden && <meta name="robots" content="noindex" />}
        <meta property="og:site_name" content={site.name} />
        <meta property="og:type" content="website" />
        <meta property="og:title" content={title} />
        <meta property="og:description" content={description} />
        {url && <meta property="og:url" content={url} />}
        <meta property="og:image" content={site.baseUrl + (page.shareImage ?? SITE_IMAGE)} />
        <meta property="og:image:width" content="1200" />
        <meta property="og:image:height" content="630" />
        <meta name="twitter:card" content="summary_large_image" />
        <link rel="alternate" type="application/atom+xml" href="/movers.xml" title="Cards that moved most" />
        <link rel="describedby" type="text/markdown" href="/llms.txt" />
        {alternates.map((one) => (
          <link key={one.href} rel="alternate" type={one.type} href={one.href} title={one.title} />
        ))}
        {scripts.map((name) => (
          <script key={name} type="module" src={site.assets.script(name)} />
        ))}
        {blocks.map((block) => (
          <script key={block} type="application/ld+json" dangerouslySetInnerHTML={{ __html: jsonLdText(block) }} />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        {site.isDemo && (
          <aside class="demo-note" aria-label="Demonstration">
            <strong>Demonstration.</strong> All sales here are simulated. These are not real market prices.
          </aside>
        )}
        <Header site={site} page={page} />
        <main id="main" tabIndex={-1}>
          {trail.length > 1 && <Trail trail={trail} />}
          {page.main}
        </main>
        <Footer site={site} freshest={freshest} />
      </body>
    </html>
  );
}

function Header({ site, page }: { site: Site; page: PageContent }) {
  return (
    <header class="site-header">
      <div class="wrap">
        <a class="brand" href="/">
          <Mark />
          <span class="brand-name">{brandOf(site)}</span>
        </a>
        <nav aria-label="Sections">
          <ul>
            {SECTIONS.filter(([section]) => section !== 'scan' || site.canScan).map(([section, href, label]) => (
              <li key={section}>
                <a href={href} aria-current={page.section === section ? 'true' : undefined}>
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {!page.hasSearch && <SearchForm query="" />}
        <div class="header-icons">
          <a href="/watch" aria-label="Watchlist" aria-current={page.section === 'watch' ? 'true' : undefined}>
            <Star />
          </a>
          {!page.hasSearch && (
            <a class="search-link" href="/search" aria-label="Search cards">
              <Lens />
            </a>
          )}
        </div>
      </div>
    </header>
  );
}

/** The name without its note on simulated sales, which the banner above shows in full. */
export function brandOf({ name }: Pick<Site, 'name'>): string {
  return name.split(' (')[0]!;
}

/** The search field; also the large one of pages that have their own. */
export function SearchForm({ query, isLarge = false }: { query: string; isLarge?: boolean }) {
  return (
    <search class={isLarge ? 'search search-large' : 'search'}>
      <form action="/search" method="get">
        <label for={isLarge ? 'q-large' : 'q'} class="unseen">
          Search cards
        </label>
        <input
          id={isLarge ? 'q-large' : 'q'}
          name="q"
          type="search"
          value={query}
          maxLength={80}
          placeholder="Card, set, number or grade"
          autocomplete="off"
          enterkeyhint="search"
        />
        <button type="submit">Search</button>
      </form>
    </search>
  );
}

/** The way here, each step a link but the last. */
function Trail({ trail }: { trail: readonly Crumb[] }) {
  return (
    <nav class="trail wrap" aria-label="Breadcrumbs">
      <ol>
        {trail.map(({ name, href }, at) => (
          <li key={href}>
            {at === trail.length - 1 ? (
              <span aria-current="page">
                <Name>{name}</Name>
              </span>
            ) : (
              <a href={href}>
                <Name>{name}</Name>
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Footer({ site, freshest }: { site: Site; freshest: Freshest | null }) {
  return (
    <footer class="site-footer">
      <div class="wrap">
        <p>
          {site.name}. Reference prices are modeled from recorded sales; they are not offers or appraisals. Card names
          and art belong to their owners.
        </p>
        {freshest !== null && <FreshnessLine freshest={freshest} />}
        <nav aria-label="About the service">
          <ul>
            {FOOTER.map(([href, label]) => (
              <li key={href}>
                <a href={href}>{label}</a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}

type SectionOf = { id: string; title: string; children: ComponentChildren; aside?: ComponentChildren };

/** A titled part of a page. */
export function Section({ id, title, children, aside }: SectionOf) {
  return (
    <section class="part" aria-labelledby={id}>
      <div class="part-head">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
