import type { FastifyInstance } from 'fastify';

/** A year, as browsers' preload lists ask. */
const HSTS_SECONDS = 31_536_000;

/**
 * Instructions of every answer to a browser: take the type as stated, run nothing, frame nothing, send no referrer; any
 * page may read it. Over https also: come back by https only.
 */
export function securityHeaders(baseUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-resource-policy': 'cross-origin',
    ...(baseUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${HSTS_SECONDS}` } : {}),
  };
}

/** With the request's id, for answers that the framework sends: problem pages, files, preflights. Headers that are set stay. */
export function addSecurityHeaders(app: FastifyInstance, baseUrl: string): void {
  const headers = Object.entries(securityHeaders(baseUrl));
  app.addHook('onSend', (request, reply, _payload, next) => {
    if (!reply.hasHeader('x-request-id')) reply.header('x-request-id', request.id);
    for (const [name, value] of headers) if (!reply.hasHeader(name)) reply.header(name, value);
    next();
  });
}
