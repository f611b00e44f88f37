import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { readyAnswer, sendReady } from './answer.ts';
import type { Context } from './context.ts';
import { CORS_HEADERS, PREFLIGHT_HEADERS } from './cors.ts';
import { ProblemError } from './problem.ts';

/** What a handler answers. */
export type Answer = {
  body: unknown;
  /** When what the body says last changed. */
  lastModifiedMs?: number | null;
  /** Absolute address of the page that shows the same: sent as `Link: …; rel="canonical"`. */
  pageUrl?: string;
};

type Input<Params extends TObject, Query extends TObject> = { params: Static<Params>; query: Static<Query> };

/** One route's schema, limits and handler: validator, types and OpenAPI come from here. */
export type Endpoint<Params extends TObject = TObject, Query extends TObject = TObject> = {
  /** Name in the OpenAPI document, unique over all endpoints. */
  id: string;
  summary: string;
  params?: Params;
  query?: Query;
  response: TSchema;
  /** How long a browser may keep the answer; shared caches may for five minutes. `no-store`: nobody may. */
  maxAgeSeconds: number | 'no-store';
  /** Statuses beside 200 and those every route can answer. */
  statuses?: readonly (404 | 503)[];
  handle(context: Context, input: Input<Params, Query>): Promise<Answer> | Answer;
};

/** Declares an endpoint; it exists to infer the types of `params` and `query` in the handler. */
export function endpoint<Params extends TObject, Query extends TObject>(
  definition: Endpoint<Params, Query>,
): Endpoint<Params, Query> {
  return definition;
}

export type Mounting = {
  path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a table of endpoints holds handlers of different inputs
  endpoint: Endpoint<any, any>;
  /** Sent with every answer of this mounting: `Deprecation` and its successor on legacy aliases. */
  extraHeaders?: Record<string, string>;
};

const OTHER_METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Mounts a GET endpoint with HEAD, OPTIONS and a 405 for the other methods. */
export function mount(app: FastifyInstance, context: Context, mounting: Mounting): void {
  const { path, endpoint, extraHeaders = {} } = mounting;
  const cached = context.cache.enabled && endpoint.maxAgeSeconds !== 'no-store';
  app.route({
    method: ['GET', 'HEAD'],
    url: path,
    schema: {
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
    },
    // A ready answer goes out before anything is parsed or validated: its target was valid when it was made.
    onRequest: (request, reply, next) => {
      const ready = cached ? context.cache.get(request.raw.url!) : undefined;
      if (ready === undefined) next();
      else sendReady(request, reply, ready);
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const epoch = context.cache.epoch();
      const answer = await endpoint.handle(context, { params: request.params, query: request.query } as never);
      const ready = readyAnswer(answer, endpoint.maxAgeSeconds, extraHeaders);
      if (cached) context.cache.set(request.raw.url!, ready, epoch);
      sendReady(request, reply, ready);
      return reply;
    },
  });
  app.route({
    method: 'OPTIONS',
    url: path,
    handler: (_request, reply) =>
      reply
        .code(204)
        .headers({ ...CORS_HEADERS, ...PREFLIGHT_HEADERS })
        .send(),
  });
  app.route({
    method: OTHER_METHODS,
    url: path,
    handler: () => {
      throw new ProblemError('method_not_allowed', `Use GET or HEAD on ${path}.`, {
        headers: { allow: 'GET, HEAD, OPTIONS' },
      });
    },
  });
}
