import { notFound, PROBLEMS, type ProblemCode, problemPath } from '../../http/problem.ts';
import type { Page } from '../page.ts';
import { htmlOf } from '../prose/markdown.ts';

/** `/problems/{code}`: the meaning of a problem's `type` and its remedy, as a page and as Markdown. */
export const problemPages: readonly Page[] = [
  {
    path: '/problems/:code',
    maxAgeSeconds: 3600,
    answer(_context, { params }) {
      const code = codeOf(params.code!);
      const path = problemPath(code);
      if (path !== `/problems/${params.code}`) return { movedTo: path };
      const { title, meaning } = PROBLEMS[code];
      return {
        title,
        description: meaning.replaceAll('`', ''),
        path,
        alternates: [{ type: 'text/markdown', href: `${path}.md` }],
        trail: [
          { name: 'API reference', href: '/api' },
          { name: title, href: path },
        ],
        main: (
          <div class="wrap document">
            <div class="prose page-head">
              <h1>{title}</h1>
              <div dangerouslySetInnerHTML={{ __html: htmlOf(explanationOf(code)) }} />
              <p>
                <a href="/api#errors">All errors of the API</a>
              </p>
            </div>
          </div>
        ),
      };
    },
  },
  {
    path: '/problems/:code.md',
    type: 'text/markdown',
    maxAgeSeconds: 3600,
    answer({ config: { baseUrl } }, { params }) {
      const code = codeOf(params.code!);
      const path = problemPath(code);
      if (path !== `/problems/${params.code}`) return { movedTo: `${path}.md` };
      const links = `[Page](${baseUrl}${path}) · [All errors of the API](${baseUrl}/api#errors)`;
      return { body: `${explanationOf(code)}\n${links}\n`, canonical: baseUrl + path };
    },
  },
];

/** The code of an address, however its words are joined. Throws `not_found`. */
function codeOf(segment: string): ProblemCode {
  const code = segment.toLowerCase().replaceAll('-', '_');
  if (Object.hasOwn(PROBLEMS, code)) return code as ProblemCode;
  throw notFound('There is no problem of this name; /api#errors lists them.');
}

function explanationOf(code: ProblemCode): string {
  const { status, title, meaning, remedy } = PROBLEMS[code];
  return `# ${title}

Status ${status}, error \`${code}\`.

## What it means
${meaning}

## What to do
${remedy}
`;
}
