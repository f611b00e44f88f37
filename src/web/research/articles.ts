import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { notFound } from '../../http/problem.ts';

/** A research article: a Markdown file in `content/research` with YAML front matter. */
export type Article = {
  slug: string;
  title: string;
  description: string;
  author: string;
  /** Days, `YYYY-MM-DD`. */
  published: string;
  modified: string;
  markdown: string;
};

const FOLDER = new URL('../../../content/research/', import.meta.url);

let read: Article[] | undefined;

/** Every article, newest first. Read once a process; throws for one whose facts are missing. */
export function articles(): readonly Article[] {
  read ??= readdirSync(FOLDER)
    .filter((file) => file.endsWith('.md'))
    .map((file) => articleOf(file.slice(0, -'.md'.length), readFileSync(new URL(file, FOLDER), 'utf8')))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug));
  return read;
}

/** @throws ProblemError for a slug without an article. */
export function articleCalled(slug: string): Article {
  const article = articles().find((one) => one.slug === slug);
  if (article === undefined) throw notFound('There is no such article; /research lists them.');
  return article;
}

function articleOf(slug: string, text: string): Article {
  const match = /^---\n(.*?)\n---\n(.*)$/s.exec(text);
  if (match === null) throw new Error(`content/research/${slug}.md begins with no facts between lines of ---`);
  const facts = parse(match[1]!, { schema: 'failsafe' }) as Record<string, string>;
  for (const name of ['title', 'description', 'author', 'published', 'modified'])
    if (!facts[name]) throw new Error(`content/research/${slug}.md does not state its ${name}`);
  return { slug, ...(facts as Omit<Article, 'slug' | 'markdown'>), markdown: match[2]!.trim() };
}
