import { briefDay } from '../format.ts';
import type { Page } from '../page.ts';
import { type Article, articleCalled } from '../research/articles.ts';
import { drawn, lines, type ServiceName, shareDrawing, text } from './share-drawing.ts';

/** `/research/{slug}.png`: a picture of an article's title for shared links, 1200 × 630. */
export const researchImage: Page = {
  path: '/research/:slug.png',
  type: 'image/png',
  maxAgeSeconds: 3600,
  async answer({ config }, { params }) {
    return { body: await drawn(articleSvg(config, articleCalled(params.slug!))) };
  },
};

/** The drawing as SVG text. */
export function articleSvg(
  service: ServiceName,
  { title, description, published }: Pick<Article, 'title' | 'description' | 'published'>,
): string {
  const heading = lines(title, 28, 3);
  const below = 222 + heading.length * 76;
  return shareDrawing(service, [
    text(72, 118, 26, 'Research', 'fill="#0a6350" font-weight="600"'),
    ...heading.map((line, at) => text(72, 216 + at * 76, 66, line, 'font-weight="700"')),
    ...lines(description, 76, 3).map((line, at) => text(72, below + at * 42, 28, line, 'fill="#505b5d"')),
    text(72, 606, 22, briefDay(published), 'fill="#505b5d"'),
  ]);
}
