import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { keep } from '../db/kept.ts';
import { readyAnswer, sendReady } from '../http/answer.ts';
import type { Made } from '../http/cache.ts';
import { CORS_HEADERS } from '../http/cors.ts';
import { notFound, unavailable } from '../http/problem.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { within } from '../http/within.ts';
import { LAST_CLOSE_MS } from '../pricing/read/last-close.ts';
import { NEWEST_SALE_AT } from '../sales/freshness.ts';
import type { WebContext } from './context.ts';
import { type PageBasis, type PageContent, pageText } from './layout.tsx';
import { contentPolicy, siteOf } from './site/site.ts';

export type PageRequest = { params: Record<string, string>; query: URLSearchParams };

/** The answer of a page: content for the layout of the site, a body of the page's type, or a redirect. */
export type PageAnswer =
  | ((PageContent | FileContent) & {
      status?: 200 | 400 | 404 | 410;
      /** This answer may not be cached, whatever the page allows otherwise: it may change at the next visit. */
      noStore?: boolean;
    })
  /** A redirect, to which the query goes along, unless it was a form that it answers. */
  | { movedTo: string; withoutQuery?: true };

/** `canonical`: absolute address of the page that has the same content. */
type FileContent = { body: string | Buffer; canonical?: string };

/** A public page, or a file that belongs to the pages: a GET outside /v1 that does not count against a budget. */
export type Page = {
  path: string;
  /** Absent: an HTML page. */
  type?:
    | 'text/html'
    | 'text/markdown'
    | 'text/plain'
    | 'text/csv'
    | 'application/xml'
    | 'application/atom+xml'
    | 'image/png'
    | 'image/svg+xml'
    | 'application/linkset+json'
    | 'application/json';
  /** How long a browser may keep it; shared caches may for five minutes. */
  maxAgeSeconds: number;
  /** Scripts of other sites may read it, as they may the API. */
  cors?: true;
  /** It shows what a visitor has just started or sent. */
  readsPrimary?: true;
  /** Its content policy, where it has one of its own. */
  policy?(config: Pick<Config, 'imageHosts'>): string;
  answer(context: WebContext, request: PageRequest): Promise<PageAnswer> | PageAnswer;
};

/**
 * Mounts a page. Answers with status 200 are cached until prices close or the catalog changes, as those of the API are. After
 * `withinMs`, in which the database was there, a visitor is answered 503; the page is still completed, once, and cached.
 */
export function mountPage(app: FastifyInstance, context: WebContext, page: Page, withinMs: number): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: page.path,
    handler: async (request: FastifyRequest, reply) => {
      context.gate.visit(request.raw);
      const params = request.params as Record<string, string>;
      const query = new URL(request.raw.url!, 'http://page').searchParams;
      const built = context.cache.make(request.raw.url!, async () => {
        const [answer, basis] = await Promise.all([
          page.answer(context, { params, query }),
          page.type === undefined ? basisOf(context) : null,
        ]);
        return sendable(context, page, answer, basis, query);
      });
      let answer: Awaited<typeof built> | null;
      // The time of a page begins once a restarted database is back.
      do answer = await within(withinMs, built);
      while (answer === null && context.db.wasAwayWithin(withinMs));
      if (answer === null) {
        context.log.warn({ reqId: request.id, url: request.url }, 'a page takes too long to build');
        throw unavailable('This page takes too long to build; try again shortly.', 5);
      }
      reply.hijack();
      sendReady(request.raw, reply.raw, answer, { requestId: request.id });
      return reply;
    },
  });
}

/** The answer of a page as it is sent, and whether it may be cached. */
function sendable(
  context: WebContext,
  page: Page,
  answer: PageAnswer,
  basis: PageBasis | null,
  query: URLSearchParams,
): Made {
  const { type = 'text/html', maxAgeSeconds, policy, cors } = page;
  const headers = {
    ...(cors ? CORS_HEADERS : {}),
    ...securityHeaders(context.config.baseUrl),
    ...pageHeaders(context, policy),
  };
  const kind = {
    policy: 'open',
    // JSON has no charset parameter (RFC 8259), and there are programs that compare the whole type.
    pageType: /^(text|application)\/(?!json$)/.test(type) ? `${type}; charset=utf-8` : type,
  } as const;
  if ('movedTo' in answer) {
    const kept = query.size === 0 || answer.withoutQuery ? '' : `?${query}`;
    const location = encodeURI(answer.movedTo) + kept;
    const moved = { ...kind, status: 308, maxAgeSeconds: 'no-store', extraHeaders: { ...headers, location } } as const;
    return { answer: readyAnswer({ body: '' }, moved), keep: false };
  }
  const { status = 200, noStore = false } = answer;
  const { body, canonical }: FileContent =
    'main' in answer ? { body: pageText(siteOf(context), answer, basis) } : answer;
  const keep = status === 200 && !noStore;
  const ready = readyAnswer(
    { body, ...(canonical === undefined ? {} : { pageUrl: canonical }) },
    { ...kind, status, maxAgeSeconds: keep ? maxAgeSeconds : 'no-store', extraHeaders: headers },
  );
  return { answer: ready, keep };
}

/** What the prices of a page rest on. A page without it is better than none, where the database cannot be reached. */
export async function basisOf({ db, clock }: Pick<WebContext, 'db' | 'clock'>): Promise<PageBasis | null> {
  const nowMs = clock();
  const reading = keep(db, 'page basis', () =>
    db.prepared<Omit<PageBasis, 'nowMs'>>(
      'page_basis',
      `select ${NEWEST_SALE_AT} as "newestSaleAt", ${LAST_CLOSE_MS} as "closedAtMs"`,
    ),
  );
  return reading.then(
    ([row]) => ({ ...row!, nowMs }),
    () => null,
  );
}

/** Headers in addition to those of the API: the content policy, and a referrer for the own site only. */
export function pageHeaders(
  { config }: Pick<WebContext, 'config'>,
  policy: NonNullable<Page['policy']> = contentPolicy,
): Record<string, string> {
  return {
    'content-security-policy': policy(config),
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** A path segment in its canonical spelling, lower case. Throws `not_found` for characters that no segment contains. */
export function canonicalSegment(segment: string): string {
  if (!/^[a-z0-9-]+$/i.test(segment)) throw notFound('There is no page at this address.');
  return segment.toLowerCase();
}
