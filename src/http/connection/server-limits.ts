import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Core } from '../context.ts';
import { ProblemError } from '../problem.ts';
import { hasBody, lingerOn } from './linger.ts';
import { type Answering, answerHalfClosed, answerMalformed } from './malformed.ts';
import { boundPipelines } from './pipeline.ts';

/** Limits of one connection and one request. */
export const SERVER_LIMITS = {
  /** Request line and headers together. */
  maxHeaderBytes: 32 * 1024,
  maxHeaders: 100,
  /** Path and query as sent; 300 ids of /v1/items/summaries with their commas escaped are 11,700. */
  maxTargetChars: 16_000,
  maxParameters: 64,
  /** One part of a path. */
  maxPathPartChars: 400,
  /** Of a JSON body; routes that take photos state their own. */
  maxBodyBytes: 64 * 1024,
  /** For the headers, and for the whole request, to arrive. */
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  /** For an upload, whose route has limits of its own for each part. */
  uploadTimeoutMs: 15 * 60_000,
  /** How often connections are checked for these timeouts. */
  checkEveryMs: 1000,
  /** A connection on which nothing moves while an answer is being sent: its client does not read. */
  idleTimeoutMs: 60_000,
  /** Between two requests: longer than the 60 s of usual proxies, which then close the connection first. */
  keepAliveMs: 72_000,
  /** The longest that a visitor waits for a page that has to be built. */
  pageWithinMs: 3000,
};

type ServerLimits = typeof SERVER_LIMITS;

/** The framework's options: its server and its limits. */
export function serverOptions(limits: ServerLimits, context: Pick<Core, 'config' | 'log' | 'drain'>) {
  return {
    serverFactory: (framework: RequestListener) => limitedServer(framework, limits, context),
    bodyLimit: limits.maxBodyBytes,
    rewriteUrl: (request: IncomingMessage) => normalTarget(request.url ?? '/'),
    clientErrorHandler: answerMalformed(context),
  };
}

/**
 * A server with the limits of a connection. Requests on one are not counted: node answers those over such a count with a
 * bare 503, and each request is limited by itself.
 */
function limitedServer(
  framework: RequestListener,
  limits: ServerLimits,
  { config, drain }: Pick<Core, 'config' | 'drain'>,
): Server {
  const server = createServer({
    maxHeaderSize: limits.maxHeaderBytes,
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.uploadTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // Node's own answer to a missing Host is not a problem document; `limitRequests` gives ours.
    requireHostHeader: false,
  });
  server.maxConnections = config.maxConnections;
  server.setTimeout(limits.idleTimeoutMs);
  const begin = boundPipelines(framework);
  server.on('request', (request, response) => {
    // Else a proxy that keeps connections busy would keep a draining process until the grace time is over.
    if (drain.isOn) response.shouldKeepAlive = false;
    begin(request, response);
    lingerOn(request, response);
  });
  // Node would answer an unknown `Expect` with a bare 417.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('timeout', (socket: Answering) => {
    // A client that waits for an answer is not silent: the arrival of a request has limits of its own, and so has the work.
    if (socket._httpMessage?.headersSent !== false) socket.destroy();
  });
  server.on('connection', (socket: Answering) => answerHalfClosed(socket, config.baseUrl));
  return server;
}

/** Rejects requests that are over a limit or malformed, after they have been counted. */
export function limitRequests(app: FastifyInstance, limits: ServerLimits): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const violation = requestViolation(request.raw, limits);
    if (!isUploadRoute(request)) limitArrival(app.server, request.raw, limits.requestTimeoutMs);
    if (violation === null) next();
    else next(new ProblemError('invalid_parameter', violation, { headers: { connection: 'close' } }));
  });
}

/** True at routes that take uploads, which they read themselves. */
export function isUploadRoute({ routeOptions }: FastifyRequest): boolean {
  return (routeOptions?.config as { upload?: object } | undefined)?.upload !== undefined;
}

/** Node has one time limit for requests of all kinds; this is the shorter one of those that are not an upload. */
function limitArrival(server: Server, request: IncomingMessage, withinMs: number): void {
  if (!hasBody(request)) return;
  const late = () => {
    const error = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    if (!request.complete && request.socket instanceof Socket) server.emit('clientError', error, request.socket);
  };
  const timer = setTimeout(late, withinMs);
  for (const event of ['end', 'close']) request.once(event, () => clearTimeout(timer));
}

/** The violation of a request, whatever its route; null without one. */
function requestViolation(request: IncomingMessage, limits: ServerLimits): string | null {
  const { headers, rawHeaders } = request;
  const target = request.url ?? '';
  if (target.length > limits.maxTargetChars) return `The address is longer than ${limits.maxTargetChars} characters.`;
  if (rawHeaders.length > 2 * limits.maxHeaders) return `There are more than ${limits.maxHeaders} headers.`;
  if (headers.host === undefined && request.httpVersion === '1.1') return 'The Host header is missing.';
  // RFC 9112 sections 3.2, 6.1 and 3.2.4; a proxy may read such a request differently.
  if (rawHeaders.filter(isHost).length > 1) return 'There is more than one Host header.';
  if (headers['transfer-encoding'] !== undefined && request.httpVersion === '1.0')
    return 'HTTP/1.0 has no Transfer-Encoding.';
  if (target === '*' && request.method !== 'OPTIONS') return 'The target * is for OPTIONS only.';
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== '100-continue')
    return 'Nothing but 100-continue can be expected.';
  if (target.length > limits.maxParameters && target.split('&').length > limits.maxParameters)
    return `There are more than ${limits.maxParameters} parameters.`;
  return target.includes('%') ? escapeViolation(target) : null;
}

function isHost(text: string, i: number): boolean {
  return i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
}

function escapeViolation(target: string): string | null {
  try {
    // No text has a NUL in it, and PostgreSQL takes none.
    return decodeURIComponent(target).includes('\0') ? 'The address contains a NUL character.' : null;
  } catch {
    return 'The address has a malformed percent-encoding.';
  }
}

/**
 * One spelling of each target, so that checks of its beginning are reliable: without scheme and host
 * (RFC 9112 section 3.2.2), and no escapes in the path where none is needed (RFC 3986 section 6.2.2.2).
 */
function normalTarget(target: string): string {
  const origin = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*(?=([/?#]|$))/i, '');
  const rooted = origin.startsWith('/') || origin === '*' ? origin : `/${origin}`;
  if (!rooted.includes('%')) return rooted;
  const [path = '', ...query] = rooted.split('?');
  const plain = path.replace(/%([2-7][0-9a-f])/gi, (triplet, hex) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w.~-]/.test(character) ? character : triplet;
  });
  return [plain, ...query].join('?');
}
