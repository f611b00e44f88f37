import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalidForm, invalidParameters } from './body/form-errors.ts';
import { CORS_HEADERS } from './cors.ts';
import { passOf } from './gate.ts';
import { PROBLEMS, ProblemError, problemBody, unavailable } from './problem.ts';
import { securityHeaders } from './security-headers.ts';

/** A problem as a page for people, with its headers. */
export type ProblemPage = (
  problem: ProblemError,
  requestId: string,
) => { html: string; headers: Record<string, string> };

/**
 * Answers every error as a problem document, outside the API to browsers as a page; what is not a ProblemError is a fault
 * and says nothing of itself.
 */
export function answerErrors(app: FastifyInstance, baseUrl: string, pageOf: ProblemPage): void {
  const answer = (problem: ProblemError, request: FastifyRequest, reply: FastifyReply) =>
    wantsPage(request) ? sendPage(problem, pageOf, request, reply) : sendProblem(problem, request, reply, baseUrl);
  app.setErrorHandler((error: FastifyError, request, reply) => answer(asProblem(error, request), request, reply));
  app.setNotFoundHandler((request, reply) => answer(unserved(request, baseUrl), request, reply));
}

function wantsPage({ raw, headers }: FastifyRequest): boolean {
  return !/^\/v1(\/|\?|$)/i.test(raw.url!) && /\btext\/html\b/.test(headers.accept ?? '');
}

function sendPage(
  problem: ProblemError,
  pageOf: ProblemPage,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { html, headers } = pageOf(problem, request.id);
  return reply
    .code(PROBLEMS[problem.code].status)
    .headers({
      'cache-control': 'no-store',
      ...headers,
      vary: 'accept',
      'x-request-id': request.id,
      ...problem.headers,
      'content-type': 'text/html; charset=utf-8',
    })
    .send(html);
}

/** Served paths have a 405 of their own for the methods that they lack; what is left here has no route at all. */
function unserved({ method }: FastifyRequest, baseUrl: string): ProblemError {
  if (!/^(GET|HEAD|POST|OPTIONS|PUT|PATCH|DELETE)$/.test(method))
    return new ProblemError('method_not_allowed', 'This method is not served anywhere.', {
      headers: { allow: 'GET, HEAD, POST, OPTIONS' },
    });
  return new ProblemError('not_found', `Nothing is served at this path; ${baseUrl}/api lists the routes.`);
}

/** For addresses that fail before any route is looked for; Fastify's own answer to them is not a problem document. */
export function answerBadAddress(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): void {
  sendProblem(asProblem(error, request), request, reply, baseUrl);
}

function sendProblem(
  problem: ProblemError,
  request: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): FastifyReply {
  const { status } = PROBLEMS[problem.code];
  const pass = passOf(request.raw);
  pass?.settle(status);
  for (let i = 0; i < (pass?.headers.length ?? 0); i += 2) reply.header(pass!.headers[i]!, pass!.headers[i + 1]!);
  return reply
    .code(status)
    .headers({
      ...CORS_HEADERS,
      'cache-control': 'no-store',
      ...securityHeaders(baseUrl),
      'x-request-id': request.id,
      ...problem.headers,
      'content-type': 'application/problem+json; charset=utf-8',
    })
    .send(JSON.stringify(problemBody(problem, baseUrl, request.id)));
}

/**
 * Answers requests that the gate rejects, past the framework: at half the CPU, so that a client trying keys by the thousand delays
 * nobody.
 */
export function sendRefusal(response: ServerResponse, problem: ProblemError, requestId: string, baseUrl: string): void {
  const body = Buffer.from(JSON.stringify(problemBody(problem, baseUrl, requestId)));
  response.writeHead(PROBLEMS[problem.code].status, {
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...CORS_HEADERS,
    ...securityHeaders(baseUrl),
    'x-request-id': requestId,
    ...problem.headers,
  });
  response.end(body);
}

function asProblem(thrown: FastifyError | ProblemError, request: FastifyRequest): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  // Anything can be thrown, also what is not an error.
  const error = thrown instanceof Error ? thrown : (new Error(String(thrown)) as FastifyError);
  if ('validation' in error && error.validation) return unfit(error, request);
  if (error.code === 'FST_ERR_BAD_URL')
    return new ProblemError(
      'invalid_parameter',
      'The path has a malformed percent-encoding; send UTF-8, percent-encoded.',
    );
  if (error.statusCode === 414)
    return new ProblemError(
      'invalid_parameter',
      'A path segment is too long; copy the segments of a `href` from a card response.',
    );
  if (error.statusCode === 413)
    return new ProblemError('upload_too_large', 'The body is larger than this route takes.');
  if (error.statusCode === 415) return new ProblemError('invalid_parameter', 'Send the body as application/json.');
  if (request.raw.destroyed && !request.raw.complete) {
    request.log.debug({ reqId: request.id }, 'the request broke off');
    return new ProblemError('invalid_parameter', 'The request broke off.');
  }
  const refused = DATABASE_REFUSALS[error.code ?? ''];
  if (refused !== undefined) {
    request.log.error(error, 'the database cannot do it now');
    return unavailable(refused.detail, refused.retryAfterSeconds);
  }
  if (isConnectionLoss(error)) {
    request.log.error(error, 'database unavailable');
    return unavailable('The database cannot be reached; try again shortly.', 5);
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new ProblemError('invalid_parameter', 'The request cannot be read.');
  request.log.error(error, 'fault');
  return new ProblemError('internal', 'Something failed on our side; the request id finds it in the log.');
}

/** 422 for forms, 400 where a route says so and for parameters. */
function unfit({ validation, validationContext }: FastifyError, request: FastifyRequest): ProblemError {
  const { schema = {}, config } = request.routeOptions;
  const faults = validation!;
  if (validationContext === 'querystring')
    return invalidParameters(faults, (schema.querystring ?? {}) as object, request.query);
  if (validationContext === 'params') return invalidParameters(faults, (schema.params ?? {}) as object, request.params);
  if (validationContext === 'headers')
    return invalidParameters(faults, (schema.headers ?? {}) as object, request.headers);
  const problem = invalidForm(faults, (schema.body ?? {}) as object, request.body);
  if ((config as { unfitBody?: 400 }).unfitBody === undefined) return problem;
  return new ProblemError('invalid_parameter', problem.message, { errors: problem.errors });
}

/** Temporary errors of a database that can be reached, by SQLSTATE. */
const DATABASE_REFUSALS: Record<string, { detail: string; retryAfterSeconds: number }> = {
  '53100': {
    detail: 'The disk of the database is full: nothing can be stored until there is room.',
    retryAfterSeconds: 60,
  },
  '57014': { detail: 'The database takes too long to answer this; try again shortly.', retryAfterSeconds: 5 },
};

/** SQLSTATE classes 08, 28, 53, 57P0 and a lost database: PostgreSQL is away, full or rejects us. And the socket's own. */
const AWAY =
  /^((08|28|53)\w{3}|57P0\w|3D000|E(CONNREFUSED|CONNRESET|NOENT|PIPE|NOTFOUND|TIMEDOUT|HOSTUNREACH|NETUNREACH)|EAI_AGAIN)$/;
/** What the driver throws without a code. */
const DRIVER_GAVE_UP = /^(Connection terminated|timeout exceeded when trying to connect)/;

function isConnectionLoss(error: { code?: string; message: string }): boolean {
  return AWAY.test(error.code ?? '') || DRIVER_GAVE_UP.test(error.message);
}
