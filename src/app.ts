import { randomBytes } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { openGuard } from './access/guard.ts';
import { openKeyRing } from './access/keys.ts';
import { fingerprintWith } from './access/pepper.ts';
import { openQuota } from './access/quota.ts';
import type { Config } from './config.ts';
import type { Db } from './db/client.ts';
import type { Reads } from './db/servers/reads.ts';
import { openValuer } from './graded/runs/valuer.ts';
import { sendReady } from './http/answer.ts';
import { readJsonOnly } from './http/body/json-body.ts';
import { openUploadRoom } from './http/body/upload.ts';
import { openAnswerCache } from './http/cache.ts';
import { limitRequests, SERVER_LIMITS, serverOptions } from './http/connection/server-limits.ts';
import { shutdownSignalOf } from './http/connection/shutdown.ts';
import { METHODS, type Mounting, mount, readsOnly } from './http/endpoint.ts';
import { answerErrors, answerProblem, asProblem, rejectUnserved, sendProblem } from './http/errors.ts';
import { mountFile } from './http/file-route.ts';
import { admit, type Pass, type PolicyName } from './http/gate.ts';
import { mountElsewhere, PARTS, type ServedPart } from './http/parts/parts.ts';
import { ProblemError } from './http/problem.ts';
import { logRequest, openFaultLog, whenOver } from './http/request-log.ts';
import { addSecurityHeaders } from './http/security-headers.ts';
import { TEXT_FORMATS } from './intake/form-fields.ts';
import { openSetOverviews } from './items/sets/set-overview.ts';
import { mountMcp } from './mcp/mcp-route.ts';
import { openMetrics } from './ops/metrics/metrics.ts';
import { neededBy } from './ops/ready.ts';
import { openPriceShelf } from './pricing/read/kept-prices.ts';
import type { PricedSql } from './pricing/read/published.ts';
import { openRecordStore } from './receipts/context.ts';
import type { Signer } from './receipts/record-keys.ts';
import { FILES, FORMS, MCP, PAGES, ROUTES, SITE_ROUTES } from './routes.ts';
import { openLiveTitles } from './sales/live-titles.ts';
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
import { openScanState } from './web/scan/scan-state.ts';

/** Of the memory for cached responses, what the prices of items take. */
const PRICES_SHARE = 0.25;

export type AppWorld = {
  config: Config;
  db: Db;
  /** Replicas of the database; none unless given. */
  reads?: Reads;
  /** What it serves; everything unless given. */
  only?: ServedPart | null;
  log: Logger;
  /** What key hashes are made with. */
  pepper: Buffer;
  /** What the record is signed with. */
  signer: Signer;
  /** Milliseconds since the epoch, and on a clock that never steps. */
  clock?: () => number;
  monotonicMs?: () => number;
  /** Folder of the compiled program whose threads and processes are used; unless given, those of the program that runs. */
  compiled?: URL;
};

/** The context of a server: cache, keys and budgets opened on a database. `close` returns unspent units. */
export async function openContext(world: AppWorld): Promise<{ context: WebContext; close(): Promise<void> }> {
  const {
    config,
    reads = null,
    only = null,
    log,
    pepper,
    signer,
    clock = Date.now,
    monotonicMs = () => performance.now(),
    compiled,
  } = world;
  const pricesMb = config.cacheMb * PRICES_SHARE;
  const shelf = openPriceShelf(pricesMb);
  const prices: NonNullable<PricedSql['prices']> = { shelf };
  const db = { ...world.db, prices, kept: new Map() };
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
  const cache = openAnswerCache(config.cacheMb - pricesMb);
  const { markets } = openSources({ db, clock }, config.connections.sources);
  const valuer = await openValuer({ config, db, log, clock, markets, titles: await openTitleBook(db) });
  const vision = openVisionPool(
    { workers: config.visionWorkers, queue: config.visionQueue, log },
    compiled && new URL('vision/pool/photo-worker.js', compiled),
  );
  const isMeasured = config.metricsPort !== 0 || config.metricsToken !== null;
  const context: WebContext = {
    metrics: isMeasured ? openMetrics({ db: { ...db, ...db.atOnce }, reads, config, clock, vision }) : null,
    config,
    db,
    reads,
    only,
    log,
    logFault: openFaultLog(log),
    clock,
    cache,
    drain: { isOn: false },
    gate,
    fingerprint: fingerprintWith(pepper),
    valuer,
    uploadRoom: openUploadRoom(config.uploadMb),
    vision,
    photoTurns: openPhotoTurns(),
    nearest: await openNearest({ db, log, compiled }),
    liveTitles: await openLiveTitles({ db, log, compiled }),
    liveIndex: openLiveIndex({ db, log, synonymsFile: config.synonymsFile, compiled }),
    assets: await openAssets(),
    setOverviews: openSetOverviews(),
    scanState: await openScanState(db, () => cache.clear()),
    freshness: { last: null },
    samples: { kept: null },
    record: openRecordStore(signer),
  };
  // What is kept is dropped when prices close or the catalog changes, in whichever process that happens.
  for (const channel of ['prices', 'catalog', 'sales'])
    await db.listen(channel, () => {
      // First: what is read from here on has the change.
      reads?.changed();
      db.kept.clear();
      shelf?.clear();
      context.cache.clear();
    });
  // A price may be withheld, or come back, without a close.
  await db.listen('prices', () => {
    delete prices.movers;
    context.setOverviews.clear();
  });
  if (neededBy(only).search) await watchIndex(context);
  return {
    context,
    async close() {
      await context.liveIndex.close();
      await context.liveTitles.close();
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
  const app = Fastify({
    // It would make a logger for each request; faults are logged where they are answered.
    logger: false,
    genReqId: () => `${prefix}${(requests++).toString(36)}`,
    routerOptions: { maxParamLength: limits.maxPathPartChars, ignoreTrailingSlash: true },
    exposeHeadRoutes: false,
    // What comes on a connection that is still open is answered; nothing new connects by then.
    return503OnClosing: false,
    ...serverOptions(limits, context),
    frameworkErrors: (error, request, reply) =>
      // No hook runs before these answers.
      letIn(context, request, (rejection) =>
        answerProblem(asProblem((rejection as FastifyError) ?? error, request, context), request, reply, baseUrl),
      ),
    // Texts stay texts: `readNumbers` alone makes numbers of them, in one strict form.
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false, allErrors: true },
      onCreate: (ajv: { addFormat(name: string, isValid: (text: string) => boolean): unknown }) => {
        for (const [name, isValid] of Object.entries(TEXT_FORMATS)) ajv.addFormat(name, isValid);
      },
    },
  }) as unknown as FastifyInstance;
  app.decorateRequest('pass', undefined);
  app.decorate('shutdownSignal', shutdownSignalOf(app));
  readJsonOnly(app);
  answerErrors(app, context, problemPage(context));
  whenOver(app, (request, end) => {
    // An address that no route has would be a series of its own.
    const route = request.routeOptions.url ?? 'none';
    context.metrics?.observe(route, request.method, end.status, end.ms / 1000);
    if (context.config.logRequests) logRequest(context, request, end);
  });
  app.addHook('onRequest', (request, reply, next) =>
    letIn(context, request, (rejection) => {
      if (rejection instanceof ProblemError) sendProblem(reply.hijack().raw, rejection, request.id, baseUrl);
      else next(rejection);
    }),
  );
  limitRequests(app, limits);
  rejectUnserved(app, baseUrl);
  // The target of a cached response was routed and validated when the response was made.
  app.addHook('onRequest', ({ raw, id, pass }, reply, next) => {
    const cached = raw.method === 'GET' || raw.method === 'HEAD' ? context.cache.get(raw.url!) : undefined;
    if (cached === undefined) next();
    else sendReady(raw, reply.hijack().raw, cached, { pass, requestId: id });
  });
  addSecurityHeaders(app, baseUrl);
  mountAll(app, context, limits.pageWithinMs);
  return app;
}

/** Mounts the tables of routes.ts: what this process serves, and for the rest where it is served. */
function mountAll(app: FastifyInstance, context: WebContext, pageWithinMs: number): void {
  const { db, reads, only, config } = context;
  const reading =
    reads === null ? context : { ...context, db: { ...db, query: reads.query, prepared: reads.prepared } };
  const isHere = (path: string, methods: string[], parts: readonly ServedPart[]) => {
    if (only === null || parts.includes(only)) return true;
    mountElsewhere(app, path, methods, only);
    return false;
  };
  for (const route of [...ROUTES, ...SITE_ROUTES])
    if (isHere(route.path, METHODS, partsOf(route)))
      mount(app, readsOnly(route.endpoint) ? reading : context, route, withPhotoTurns);
  for (const page of PAGES)
    if (isHere(page.path, ['GET', 'HEAD'], page.path === '/scan' ? ['pages', 'photos'] : ['pages']))
      mountPage(app, page.readsPrimary ? context : reading, page, pageWithinMs);
  const formsHere = FORMS.filter(({ path, policy }) =>
    isHere(path, ['POST'], policy === 'image' ? ['photos'] : ['pages']),
  );
  mountForms(app, context, formsHere);
  if (isHere(MCP.path, METHODS, ['api'])) mountMcp(app, context, MCP);
  for (const file of FILES) {
    if (file.isServed?.(config) === false) continue;
    if (isHere(file.path, ['GET', 'HEAD'], file.path === '/metrics' ? PARTS : ['pages'])) mountFile(app, reading, file);
  }
}

/** The parts that an endpoint belongs to. */
function partsOf({ path, endpoint }: Mounting<WebContext>): readonly ServedPart[] {
  if (endpoint.id === 'health' || endpoint.id === 'ready') return PARTS;
  if (endpoint.upload !== undefined) return ['photos'];
  return path.startsWith('/v1') ? ['api'] : ['pages'];
}

/** The quota of a route. */
type RouteGate = { policy?: PolicyName; isFree?: (request: FastifyRequest) => boolean | undefined };

/**
 * Everything under /v1 passes the gate: a route without a policy, and an unknown address, cost a daily unit. Outside of
 * /v1 the gate is for routes with a policy.
 */
function letIn(context: WebContext, request: FastifyRequest, next: (rejection?: Error) => void): void {
  const { policy: stated, isFree } = (request.routeOptions?.config ?? {}) as RouteGate;
  const policy = isFree?.(request) ? 'free' : (stated ?? (request.raw.url!.startsWith('/v1') ? 'daily' : 'open'));
  if (policy === 'open') {
    next();
    return;
  }
  const onAdmitted = (pass: Pass) => {
    request.pass = pass;
    next();
  };
  admit(context.gate, request.raw, policy, onAdmitted, next);
}
