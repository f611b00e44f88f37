import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { openGuard } from './access/guard.ts';
import { openKeyRing } from './access/keys.ts';
import { fingerprintWith } from './access/pepper.ts';
import { openQuota } from './access/quota.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import { openValuer } from './graded/runs/valuer.ts';
import { readJsonOnly } from './http/body/json-body.ts';
import { openUploadRoom } from './http/body/upload.ts';
import { openAnswerCache } from './http/cache.ts';
import { closeWhileDraining } from './http/connection/drain.ts';
import { lingerOn } from './http/connection/linger.ts';
import { boundPipelines } from './http/connection/pipeline.ts';
import { limitRequests, requestViolation, SERVER_LIMITS, serverOptions } from './http/connection/server-limits.ts';
import { mount } from './http/endpoint.ts';
import { answerBadAddress, answerErrors, sendRefusal } from './http/errors.ts';
import { mountFile } from './http/file-route.ts';
import { keepOutcome, outcomeOf, type PolicyName } from './http/gate.ts';
import { readyFirst } from './http/hot.ts';
import { ProblemError } from './http/problem.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { TEXT_FORMATS } from './intake/form-fields.ts';
import { openSetOrders } from './items/sets/set-cards.ts';
import { FILES, FORMS, PAGES, ROUTES, SITE_ROUTES } from './routes.ts';
import { openSources } from './sales/sources/open-sources.ts';
import { openTitleBook } from './sales/titles.ts';
import { openLiveIndex, watchIndex } from './search/index/live.ts';
import { openPhotoTurns, withPhotoTurns } from './vision/pool/photo-turns.ts';
import { openVisionPool } from './vision/pool/pool.ts';
import { openNearest } from './vision/vectors/nearest.ts';
import { openAssets } from './web/assets.ts';
import type { WebContext } from './web/context.ts';
import { mountForms } from './web/forms/form.ts';
import { mountPage } from './web/page.ts';
import { problemPage } from './web/problem-page.tsx';

export type AppWorld = {
  config: Config;
  db: Db;
  log: Logger;
  /** What key hashes are made with. */
  pepper: Buffer;
  /** Milliseconds since the epoch, and on a clock that never steps. */
  clock?: () => number;
  monotonicMs?: () => number;
};

/** What a server works with: cache, keys and budgets opened on a database. `close` returns what is held. */
export async function openContext(world: AppWorld): Promise<{ context: WebContext; close(): Promise<void> }> {
  const { config, log, pepper, clock = Date.now, monotonicMs = () => performance.now() } = world;
  const db = { ...world.db, prices: {} };
  const keys = await openKeyRing(db, pepper, clock);
  const quota = openQuota(db, monotonicMs);
  const gate = openGuard({
    keys,
    quota,
    limits: config.limits,
    trustedProxies: config.trustedProxies,
    monotonicMs,
    clock,
  });
  const cache = openAnswerCache(config.cacheMb);
  const { markets } = openSources({ db, clock }, config.connections.sources);
  const valuer = await openValuer({ config, db, log, clock, markets, titles: await openTitleBook(db) });
  const vision = openVisionPool({ workers: config.visionWorkers, queue: config.visionQueue, log });
  const context: WebContext = {
    config,
    db,
    log,
    clock,
    cache,
    drain: { isOn: false },
    gate,
    fingerprint: fingerprintWith(pepper),
    valuer,
    uploadRoom: openUploadRoom(config.uploadMb),
    vision,
    photoTurns: openPhotoTurns(),
    nearest: await openNearest({ db, log }),
    liveIndex: openLiveIndex(db, log, config.synonymsFile),
    assets: await openAssets(),
    setOrders: openSetOrders(),
  };
  // Ready answers are dropped when prices close or the catalog changes, in whichever process that happens.
  for (const channel of ['prices', 'catalog', 'sales']) await db.listen(channel, () => context.cache.clear());
  await watchIndex(context);
  return {
    context,
    async close() {
      context.liveIndex.close();
      await vision.close();
      await context.nearest.close();
      await valuer.close();
      keys.close();
      await quota.close();
    },
  };
}

/** The server of a context: every route mounted, not listening. */
export function buildApp(context: WebContext, limits = SERVER_LIMITS): FastifyInstance {
  const { baseUrl } = context.config;
  const prefix = randomBytes(6).toString('base64url');
  let requests = 0;
  const nextRequestId = () => `${prefix}${(requests++).toString(36)}`;
  const app = Fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: nextRequestId,
    routerOptions: { maxParamLength: limits.maxPathPartChars, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    ...serverOptions(limits, baseUrl),
    frameworkErrors: (error, request, reply) =>
      // No hook runs before these answers, so the gate is asked here.
      letIn(context, request, (refused) =>
        answerBadAddress((refused as FastifyError) ?? error, request, reply, baseUrl),
      ),
    // Texts stay texts: `readNumbers` alone makes numbers of them, in one strict form.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true },
      onCreate: (ajv: { addFormat(name: string, isValid: (text: string) => boolean): unknown }) => {
        for (const [name, isValid] of Object.entries(TEXT_FORMATS)) ajv.addFormat(name, isValid);
      },
    },
  }) as unknown as FastifyInstance;
  readJsonOnly(app);
  answerErrors(app, baseUrl, problemPage(context));
  app.addHook('onRequest', (request, reply, next) =>
    letIn(context, request, (refused) => {
      if (!(refused instanceof ProblemError)) next(refused);
      else sendRefusal(reply.hijack().raw, refused, request.id, baseUrl);
    }),
  );
  limitRequests(app, limits, context.config);
  addSecurityHeaders(app, baseUrl);
  for (const route of [...ROUTES, ...SITE_ROUTES]) mount(app, context, route, withPhotoTurns);
  for (const page of PAGES) mountPage(app, context, page, limits.pageWithinMs);
  mountForms(app, context, FORMS);
  for (const file of FILES) mountFile(app, context, file);
  // Takes the framework's place as listener; what it does not answer itself it hands on.
  const [framework] = app.server.listeners('request') as RequestListener[];
  app.server.removeAllListeners('request');
  app.server.on(
    'request',
    boundPipelines(readyFirst(context, nextRequestId, (request) => requestViolation(request, limits), framework!)),
  );
  app.server.on('request', lingerOn);
  closeWhileDraining(app.server, context.drain);
  return app;
}

/** What a route says of its quota. */
type RouteGate = { policy?: PolicyName; isFree?: (request: FastifyRequest) => boolean };

/**
 * Everything under /v1 passes the gate; a route without a policy of its own, and no route at all, is a daily unit. Outside
 * of it only what states a policy does.
 */
function letIn(context: WebContext, request: FastifyRequest, next: (refused?: Error) => void): void {
  const { policy: stated, isFree } = (request.routeOptions?.config ?? {}) as RouteGate;
  const policy = isFree?.(request) ? 'free' : (stated ?? (request.raw.url!.startsWith('/v1') ? 'daily' : 'open'));
  if (policy === 'open') {
    next();
    return;
  }
  const { raw } = request;
  const before = outcomeOf(raw);
  if (before !== undefined) {
    next('refused' in before ? before.refused : undefined);
    return;
  }
  try {
    const pass = context.gate.enter(raw, policy);
    if (!(pass instanceof Promise)) {
      keepOutcome(raw, { pass });
      next();
      return;
    }
    pass.then((one) => {
      keepOutcome(raw, { pass: one });
      next();
    }, next);
  } catch (error) {
    next(error as Error);
  }
}
