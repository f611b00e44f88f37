import type { ProblemPage } from '../http/errors.ts';
import { PROBLEMS, type ProblemCode, type ProblemError } from '../http/problem.ts';
import type { WebContext } from './context.ts';
import { pageText, SearchForm } from './layout.tsx';
import { pageHeaders } from './page.ts';
import { siteOf } from './site/site.ts';

const TITLES: Partial<Record<ProblemCode, string>> = {
  not_found: 'Page not found',
  unknown_game: 'Game not covered',
  rate_limited: 'Too many pages at once',
  internal: 'Something failed on our side',
  unavailable: 'Back in a moment',
};

/** The page shown to a browser instead of a problem document: the fault, and where to go on. */
export function problemPage(context: WebContext): ProblemPage {
  return (problem, requestId) => ({
    headers: pageHeaders(context),
    html: pageText(siteOf(context), {
      title: titleOf(problem),
      description: problem.message,
      path: null,
      isHidden: true,
      hasSearch: true,
      main: <Explained problem={problem} requestId={requestId} />,
    }),
  });
}

function titleOf({ code }: ProblemError): string {
  return TITLES[code] ?? PROBLEMS[code].title;
}

function Explained({ problem, requestId }: { problem: ProblemError; requestId: string }) {
  const { status } = PROBLEMS[problem.code];
  const candidates = Array.isArray(problem.extra.candidates) ? (problem.extra.candidates as string[]) : [];
  return (
    <div class="wrap">
      <div class="prose page-head problem">
        <p class="problem-status">{status}</p>
        <h1>{titleOf(problem)}</h1>
        <p>{sentenceOf(problem)}</p>
        {candidates.length > 0 && (
          <>
            <h2>Did you mean</h2>
            <ul>
              {candidates.map((href) => (
                <li key={href}>
                  <a href={href}>{nameOf(href)}</a>
                </li>
              ))}
            </ul>
          </>
        )}
        <SearchForm query="" isLarge />
        <ul class="problem-ways">
          <li>
            <a href="/card">Browse games and sets</a>
          </li>
          <li>
            <a href="/indices">Market indices</a>
          </li>
          <li>
            <a href="/report">Report a problem</a>
          </li>
        </ul>
        <p class="muted small">
          Request <code>{requestId}</code>
        </p>
      </div>
    </div>
  );
}

/** Messages for programs mention routes and hrefs, which mean nothing to a visitor. */
function sentenceOf({ code, message, extra }: ProblemError): string {
  if (code !== 'not_found') return message;
  if (Array.isArray(extra.candidates) || !/[`/]/.test(message)) return message;
  return 'Nothing is at this address. It may have been mistyped, or the card is not in the catalog.';
}

/** The last part of an address in words. */
function nameOf(href: string): string {
  const words = href.split('/').at(-1)!.split('-');
  const isToken = /^[0-9a-f]{8}$/.test(words.at(-1)!);
  return (isToken && words.length > 1 ? words.slice(0, -1) : words).join(' ');
}
