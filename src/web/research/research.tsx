import { briefDay } from '../format.ts';
import { itemListBlock } from '../json-ld.ts';
import { LongText } from '../long-text.tsx';
import type { Page } from '../page.ts';
import { contentsOf, htmlOf } from '../prose/markdown.ts';
import { siteOf } from '../site/site.ts';
import { type Article, articleCalled, articles } from './articles.ts';

const DESCRIPTION =
  'How our prices and indices are made and how well they do, measured, with the command that measured it.';
const FEED = { type: 'application/atom+xml', href: '/research/feed.xml', title: 'Research' };

/** `/research`: the hub. */
export const research: Page = {
  path: '/research',
  maxAgeSeconds: 3600,
  answer(context) {
    const site = siteOf(context);
    const all = articles();
    return {
      title: 'Research',
      description: DESCRIPTION,
      path: '/research',
      hasBreadcrumbs: true,
      trail: [{ name: 'Research', href: '/research' }],
      alternates: [FEED],
      blocks: [
        itemListBlock(
          site.baseUrl,
          'Research',
          all.map(({ title, slug }) => ({ name: title, href: hrefOf(slug) })),
        ),
      ],
      main: (
        <div class="wrap">
          <div class="page-head prose">
            <h1>Research</h1>
            <p class="lead">{DESCRIPTION}</p>
          </div>
          <ul class="article-list">
            {all.map((article) => (
              <li key={article.slug}>
                <h2>
                  <a href={hrefOf(article.slug)}>{article.title}</a>
                </h2>
                <p>{article.description}</p>
                <p class="muted small">
                  <time dateTime={article.published}>{briefDay(article.published)}</time>
                </p>
              </li>
            ))}
          </ul>
        </div>
      ),
    };
  },
};

/** `/research/{slug}`: an article; with `.md` behind it, the same as Markdown. */
export const researchArticle: Page = {
  path: '/research/:slug',
  maxAgeSeconds: 3600,
  answer(context, { params }) {
    const article = articleCalled(params.slug!);
    const site = siteOf(context);
    const { slug, title, description, published, modified, author } = article;
    const path = hrefOf(slug);
    return {
      title,
      description,
      path,
      hasBreadcrumbs: true,
      trail: [
        { name: 'Research', href: '/research' },
        { name: title, href: path },
      ],
      alternates: [{ type: 'text/markdown', href: `${path}.md` }, FEED],
      shareImage: `${path}.png`,
      blocks: [
        {
          '@context': 'https://schema.org',
          '@type': 'Article',
          headline: title,
          description,
          image: `${site.baseUrl}${path}.png`,
          datePublished: `${published}T00:00:00Z`,
          dateModified: `${modified}T00:00:00Z`,
          author: { '@type': 'Organization', name: author, url: `${site.baseUrl}/about` },
          publisher: { '@id': `${site.baseUrl}/#organization` },
          mainEntityOfPage: site.baseUrl + path,
        },
      ],
      main: <ArticleText article={article} />,
    };
  },
};

export const researchTwin: Page = {
  path: '/research/:slug.md',
  type: 'text/markdown',
  maxAgeSeconds: 3600,
  answer({ config }, { params }) {
    const { slug, title, markdown } = articleCalled(params.slug!);
    return { body: `# ${title}\n\n${markdown}\n`, canonical: `${config.baseUrl}/research/${slug}` };
  },
};

function ArticleText({ article: { title, description, published, modified, markdown } }: { article: Article }) {
  const html = htmlOf(markdown);
  return (
    <article>
      <LongText
        head={
          <header class="page-head prose">
            <h1>{title}</h1>
            <p class="lead">{description}</p>
            <p class="muted small">
              <time dateTime={published}>{briefDay(published)}</time>
              {modified !== published && (
                <>
                  , changed <time dateTime={modified}>{briefDay(modified)}</time>
                </>
              )}
            </p>
          </header>
        }
        contents={contentsOf(html)}
      >
        <div dangerouslySetInnerHTML={{ __html: html }} />
      </LongText>
    </article>
  );
}

function hrefOf(slug: string): string {
  return `/research/${slug}`;
}
