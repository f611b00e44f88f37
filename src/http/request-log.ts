import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Core } from './context.ts';

/** Longer paths and user agents are cut. */
const LONGEST_CHARS = 500;

/** `version-trace-parent-flags`; version 00 ends there, later ones may go on. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace that a request is part of, as fields of a log line: trace id (32 hexadecimal digits) and the span of the caller
 * (16). None without a `traceparent` header that is valid by W3C Trace Context.
 */
export function traceOf({ traceparent }: IncomingHttpHeaders): { traceId?: string; parentSpanId?: string } {
  const match = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (match === null || (match[1] === '00' && match[4] !== undefined)) return {};
  return { traceId: match[2]!, parentSpanId: match[3]! };
}

/** How a request ended. Status 499, as of nginx: its client left before the answer had begun. */
type RequestEnd = { status: number; ms: number };

/** Calls back once for each request: when its answer is sent, or its client has left. Comes before other hooks. */
export function whenOver(app: FastifyInstance, onOver: (request: FastifyRequest, end: RequestEnd) => void): void {
  app.addHook('onRequest', (request, { raw }, next) => {
    const begunMs = performance.now();
    const over = () => {
      raw.off('finish', over).off('close', over);
      onOver(request, { status: raw.headersSent ? raw.statusCode : 499, ms: performance.now() - begunMs });
    };
    raw.on('finish', over).on('close', over);
    next();
  });
}

/**
 * Logs a request that is over: a line with its id (`x-request-id` of the response), method, path without the query, route,
 * status, milliseconds, caller (`key:…` or `address:…`; none at routes that ask for none) and trace.
 */
export function logRequest({ log }: Pick<Core, 'log'>, request: FastifyRequest, { status, ms }: RequestEnd): void {
  const { raw, id, method, pass } = request;
  log.info(
    {
      reqId: id,
      ...traceOf(raw.headers),
      method,
      path: raw.url!.split('?', 1)[0]!.slice(0, LONGEST_CHARS),
      route: request.routeOptions.url ?? null,
      status,
      ms: Math.round(ms * 10) / 10,
      caller: pass?.caller.subject,
      agent: raw.headers['user-agent']?.slice(0, LONGEST_CHARS),
    },
    'request',
  );
}

/** How often a fault that lasts is logged. */
const EVERY_MS = 10_000;

/** Logs a fault that every request has while it lasts; `fields` are those of one request. */
export type FaultLog = (error: Error, message: string, fields: object) => void;

/** Of faults such as a database that is away: at once, then every ten seconds, with how many were not logged in between. */
export function openFaultLog(log: Logger): FaultLog {
  const faults = new Map<string, { atMs: number; unlogged: number }>();
  return (error, message, fields) => {
    const last = faults.get(message);
    const nowMs = performance.now();
    if (last !== undefined && nowMs - last.atMs < EVERY_MS) {
      last.unlogged++;
      return;
    }
    faults.set(message, { atMs: nowMs, unlogged: 0 });
    log.error({ err: error, ...fields, ...(last?.unlogged ? { unlogged: last.unlogged } : {}) }, message);
  };
}
