import type { ServerResponse } from 'node:http';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isConnectionLoss, isReadTimeout } from '../db/servers/connection-loss.ts';
import { invalidForm, invalidParameters } from './body/form-errors.ts';
import type { Core } from './context.ts';
import { CORS_HEADERS } from './cors.ts';
import { PROBLEMS, ProblemError, problemBody, unavailable } from './problem.ts';
import { traceOf } from './request-log.ts';
import { securityHeaders } from './security-headers.ts';

/** A problem as a page for people, with its headers. */
export type ProblemPage = (
  problem: ProblemError,
  requestId: string,
) => { html: string; headers: Record<string, string> };

/**
 * Answers every error as a problem document, outside the API to browsers as a page; anything but a ProblemError is a fault
 * and shows nothing of itself.
 */
export function answerErrors(
  app: FastifyInstance,
  context: Pick<Core, 'config' | 'log' | 'logFault'>,
  pageOf: ProblemPage,
): void {
  const answer = (problem: ProblemError, request: FastifyRequest, reply: FastifyReply) =>
    wantsPage(request)
      ? sendPage(problem, pageOf, request, reply)
      : answerProblem(problem, request, reply, context.config.baseUrl);
  app.setErrorHandler((error: FastifyError, request, reply) =>
    answer(asProblem(error, request, context), request, reply),
  );
}

/** Rejects what no route is for, before its body is read: its content does not matter. */
export function rejectUnserved(app: FastifyInstance, baseUrl: string): void {
  app.addHook('onRequest', (request, _reply, next) => next(request.is404 ? unserved(request, baseUrl) : undefined));
}

/** Answers a request with a problem document. Headers that the framework set, such as `connection: close`, stay. */
export function answerProblem(
  problem: ProblemError,
  { id, pass }: FastifyRequest,
  reply: FastifyReply,
  baseUrl: string,
): FastifyReply {
  pass?.settle(PROBLEMS[problem.code].status);
  const { raw } = reply.hijack();
  for (let i = 0; i < (pass?.headers.length ?? 0); i += 2) raw.setHeader(pass!.headers[i]!, pass!.headers[i + 1]!);
  for (const [name, value] of Object.entries(reply.getHeaders())) raw.setHeader(name, value!);
  sendProblem(raw, problem, id, baseUrl);
  return reply;
}

function wantsPage({ raw, headers }: FastifyRequest): boolean {
  return !/^\/(v1|health|ready)(\/|\?|$)/i.test(raw.url!) && /\btext\/html\b/.test(headers.accept ?? '');
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

/** Sends a problem document past the framework: a client that tries keys by the thousand costs half the CPU. */
export function sendProblem(response: ServerResponse, problem: ProblemError, requestId: string, baseUrl: string): void {
  const { status, headers, body } = problemResponse(problem, requestId, baseUrl);
  response.writeHead(status, headers).end(body);
}

/** A problem document with every header that it is sent with. */
export function problemResponse(problem: ProblemError, requestId: string, baseUrl: string) {
  const body = JSON.stringify(problemBody(problem, baseUrl, requestId));
  const headers = {
    'cache-control': 'no-store',
    ...CORS_HEADERS,
    ...securityHeaders(baseUrl),
    'x-request-id': requestId,
    ...problem.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  };
  return { status: PROBLEMS[problem.code].status, headers, body };
}

/** The problem with a request that failed. */
export function asProblem(
  thrown: FastifyError | ProblemError,
  request: FastifyRequest,
  context: Pick<Core, 'log' | 'logFault'>,
): ProblemError {
  // Anything can be thrown, also values that are not errors.
  const error = thrown instanceof Error ? thrown : (new Error(String(thrown)) as FastifyError);
  if ('validation' in error && error.validation) return unfit(error, request);
  if (error.code === 'FST_ERR_BAD_URL')
    return new ProblemError(
      'invalid_parameter',
      'The path has a malformed percent-encoding; send UTF-8, percent-encoded.',
    );
  const { statusCode } = error as FastifyError;
  if (statusCode === 414)
    return new ProblemError(
      'invalid_parameter',
      'A path segment is too long; copy the path of the card’s page, its `href`.',
    );
  if (statusCode === 413) return new ProblemError('upload_too_large', 'The body is larger than this route takes.');
  if (statusCode === 415) return new ProblemError('invalid_parameter', 'Send the body as application/json.');
  if (!(error instanceof ProblemError) && request.raw.destroyed && !request.raw.complete) {
    context.log.debug({ reqId: request.id }, 'the request broke off');
    return new ProblemError('invalid_parameter', 'The request broke off.');
  }
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ProblemError('invalid_parameter', 'The request cannot be read.');
  return problemOf(error, context, { reqId: request.id, ...traceOf(request.raw.headers) });
}

/** The problem with a fault of ours or of the database, which is logged with `fields`. */
function problemOf(
  error: Error & { code?: string },
  { log, logFault }: Pick<Core, 'log' | 'logFault'>,
  fields: object,
): ProblemError {
  if (error instanceof ProblemError) return error;
  const temporary = DATABASE_FAULTS[isReadTimeout(error) ? STATEMENT_TIMEOUT : (error.code ?? '')];
  if (temporary !== undefined) {
    logFault(error, 'the database cannot do it now', fields);
    return unavailable(temporary.detail, temporary.retryAfterSeconds);
  }
  if (isConnectionLoss(error)) {
    logFault(error, 'database unavailable', fields);
    return unavailable('The database cannot be reached; try again shortly.', 5);
  }
  log.error({ err: error, ...fields }, 'fault');
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

/** The SQLSTATE of a statement that ran too long. */
const STATEMENT_TIMEOUT = '57014';

/** Temporary errors of a database that can be reached, by SQLSTATE. */
const DATABASE_FAULTS: Record<string, { detail: string; retryAfterSeconds: number }> = {
  '53100': {
    detail: 'The disk of the database is full: nothing can be stored until there is room.',
    retryAfterSeconds: 60,
  },
  '40P01': { detail: 'Other changes were in the way of this; try again shortly.', retryAfterSeconds: 1 },
  [STATEMENT_TIMEOUT]: {
    detail: 'The database takes too long to answer this; try again shortly.',
    retryAfterSeconds: 5,
  },
};
