import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readyAnswer, sendReady } from '../http/answer.ts';
import type { Context } from '../http/context.ts';
import { securityHeaders } from '../http/security-headers.ts';
import { contentPolicy } from './site.ts';

export type PageRequest = { params: Record<string, string>; query: URLSearchParams };

/** What a page answers: text of its type, or another address. */
export type PageAnswer =
  | {
      body: string | Buffer;
      status?: 200 | 404 | 410;
      lastModifiedMs?: number | null;
      /** Absolute address that this content is known by, where it is not the one asked. */
      canonical?: string;
      /** Nobody may keep it, whatever the page's others allow: it may change at the next visit. */
      passing?: boolean;
    }
  | { movedTo: string };

/** A public page, or a file that belongs to the pages: a GET outside /v1 that takes from no budget. */
export type Page = {
  path: string;
  type:
    | 'text/html'
    | 'text/markdown'
    | 'text/plain'
    | 'application/xml'
    | 'application/atom+xml'
    | 'image/png'
    | 'image/svg+xml'
    | 'application/linkset+json'
    | 'application/json';
  /** How long a browser may keep it; shared caches may for five minutes. */
  maxAgeSeconds: number | 'no-store';
  answer(context: Context, request: PageRequest): Promise<PageAnswer> | PageAnswer;
};

/** Mounts a page. What it answers with 200 is kept until prices close or the catalog changes, as the API's answers are. */
export function mountPage(app: FastifyInstance, context: Context, page: Page): void {
  const headers = { ...securityHeaders(context.config.baseUrl), ...pageHeaders(context) };
  app.route({
    method: ['GET', 'HEAD'],
    url: page.path,
    handler: async (request: FastifyRequest, reply) => {
      context.gate.visit(request.raw);
      const epoch = context.cache.epoch();
      const answer = await page.answer(context, {
        params: request.params as Record<string, string>,
        query: new URL(request.raw.url!, 'http://page').searchParams,
      });
      if ('movedTo' in answer) return reply.redirect(answer.movedTo, 308);
      const { body, status = 200, lastModifiedMs = null, canonical, passing = false } = answer;
      const isKept = status === 200 && !passing && page.maxAgeSeconds !== 'no-store';
      const ready = readyAnswer(
        { body, lastModifiedMs, ...(canonical === undefined ? {} : { pageUrl: canonical }) },
        {
          status,
          policy: 'open',
          maxAgeSeconds: isKept ? page.maxAgeSeconds : 'no-store',
          extraHeaders: headers,
          pageType: /^(text|application)/.test(page.type) ? `${page.type}; charset=utf-8` : page.type,
        },
      );
      if (isKept) context.cache.set(request.raw.url!, ready, epoch);
      reply.hijack();
      sendReady(request.raw, reply.raw, ready, request.id);
      return reply;
    },
  });
}

/** Beside the API's: what a page may load, and that it is only told its own site where a visitor comes from. */
export function pageHeaders({ config }: Pick<Context, 'config'>): Record<string, string> {
  return {
    'content-security-policy': contentPolicy(config),
    'referrer-policy': 'same-origin',
    'permissions-policy': 'camera=(self), geolocation=(), microphone=()',
    'cross-origin-opener-policy': 'same-origin',
  };
}
