import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import { tierOf } from './access/guard.ts';
import type { KeyRing } from './access/keys.ts';
import type { Context } from './http/context.ts';
import { mount } from './http/endpoint.ts';
import { answerBadAddress, answerErrors } from './http/errors.ts';
import { notFound } from './http/problem.ts';
import { ART_HEADERS, demoArtAt } from './ops/demo/art.ts';
import { DOCS_HEADERS, docsPage } from './ops/docs-page.ts';
import { ROUTES } from './routes.ts';

const MAX_PATH_PART_CHARS = 400;
const REQUEST_TIMEOUT_MS = 30_000;

/** The server of a context: every route mounted, not listening. */
export function buildApp(context: Context, keys: KeyRing): FastifyInstance {
  const prefix = randomBytes(6).toString('base64url');
  let requests = 0;
  const app = Fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => `${prefix}${(requests++).toString(36)}`,
    routerOptions: { maxParamLength: MAX_PATH_PART_CHARS, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    bodyLimit: 64 * 1024,
    requestTimeout: REQUEST_TIMEOUT_MS,
    frameworkErrors: (error, request, reply) => answerBadAddress(error, request, reply, context.config.baseUrl),
    // Strings stay strings: numbers in a query are matched by strict patterns, never coerced.
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
  }) as unknown as FastifyInstance;
  answerErrors(app, context.config.baseUrl);
  app.addHook('onRequest', (request, _reply, next) => {
    try {
      const tier = tierOf(request, keys);
      if (typeof tier === 'string') next();
      else tier.then(() => next(), next);
    } catch (error) {
      next(error as Error);
    }
  });
  for (const route of ROUTES) mount(app, context, route);
  app.get('/docs', (_request, reply) =>
    reply
      .headers(DOCS_HEADERS)
      .send(docsPage(ROUTES, { name: context.config.serviceName, baseUrl: context.config.baseUrl })),
  );
  app.get<{ Params: { '*': string } }>('/demo/art/*', (request, reply) => {
    const svg = demoArtAt(`/demo/art/${request.params['*']}`);
    if (svg === null) throw notFound('There is no picture at this address.');
    return reply.headers(ART_HEADERS).send(svg);
  });
  return app;
}

/** Drops ready answers when prices close or the catalog changes, in whichever process that happens. */
export async function followChanges(context: Context): Promise<void> {
  for (const channel of ['prices', 'catalog', 'sales']) await context.db.listen(channel, () => context.cache.clear());
}
