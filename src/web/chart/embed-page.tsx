import { renderToString } from 'preact-render-to-string';
import { brandOf } from '../layout.tsx';
import type { Site } from '../site/site.ts';
import { Drawing, type DrawingOf } from './chart.tsx';

/** A chart for the frame of another site; `href` is the page that it is of. */
export type EmbeddedChart = { title: string; href: string; drawing: DrawingOf | null };

/** A whole page with one chart, without the frame of the site. Its links open outside of the other site's frame. */
export function embedText(site: Site, { title, href, drawing }: EmbeddedChart): string {
  const scripts = drawing === null ? [] : ['chart'];
  return `<!doctype html>${renderToString(
    <html lang="en" class="embed">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · ${site.name}`}</title>
        <base target="_blank" />
        <link rel="stylesheet" href={site.assets.styles} />
        <link rel="canonical" href={site.baseUrl + href} />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        {scripts.map((name) => (
          <script key={name} type="module" src={site.assets.script(name)} />
        ))}
      </head>
      <body>
        <main class="chart">
          <h1>
            <a href={href}>
              <bdi>{title}</bdi>
            </a>
          </h1>
          {drawing === null ? <p class="muted">Nothing is recorded in this window.</p> : <Drawing {...drawing} />}
          <p class="embed-source">
            {site.isDemo && 'Simulated sales. '}
            Source: <a href={href}>{brandOf(site)}</a>
          </p>
        </main>
      </body>
    </html>,
  )}`;
}
