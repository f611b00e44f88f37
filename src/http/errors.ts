import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CORS_HEADERS } from './cors.ts';
import { passOf } from './gate.ts';
import { PROBLEMS, type ProblemDetail, ProblemError, problemBody } from './problem.ts';

/** Answers every error as a problem document; what is not a ProblemError is a fault and says nothing of itself. */
export function answerErrors(app: FastifyInstance, baseUrl: string): void {
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendProblem(asProblem(error, request), request, reply, baseUrl),
  );
  app.setNotFoundHandler((request, reply) =>
    sendProblem(
      new ProblemError('not_found', `Nothing is served at this path; ${baseUrl}/docs lists the routes.`),
      request,
      reply,
      baseUrl,
    ),
  );
}

/** For addresses that fail before any route is looked for; Fastify's own answer to them is no problem document. */
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
  const pass = passOf(request);
  pass?.settle(status);
  for (let i = 0; i < (pass?.headers.length ?? 0); i += 2) reply.header(pass!.headers[i]!, pass!.headers[i + 1]!);
  return reply
    .code(status)
    .headers({
      ...CORS_HEADERS,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
      ...problem.headers,
      'content-type': 'application/problem+json; charset=utf-8',
    })
    .send(JSON.stringify(problemBody(problem, baseUrl, request.id)));
}

function asProblem(thrown: FastifyError | ProblemError, request: FastifyRequest): ProblemError {
  if (thrown instanceof ProblemError) return thrown;
  // Anything can be thrown, also what is no error.
  const error = thrown instanceof Error ? thrown : (new Error(String(thrown)) as FastifyError);
  if ('validation' in error && error.validation) return invalid(error);
  if (error.code === 'FST_ERR_BAD_URL')
    return new ProblemError('invalid_parameter', 'The path holds a malformed percent-encoding.');
  if (error.statusCode === 414)
    return new ProblemError('invalid_parameter', 'A part of the path is longer than any card’s.');
  if (error.statusCode === 413)
    return new ProblemError('upload_too_large', 'The body is larger than this route takes.');
  if (error.statusCode === 415) return new ProblemError('invalid_parameter', 'Send the body as application/json.');
  if (isConnectionLoss(error)) {
    request.log.error(error, 'database unavailable');
    return new ProblemError('unavailable', 'The database cannot be reached; try again shortly.', {
      headers: { 'retry-after': '5' },
    });
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new ProblemError('invalid_parameter', 'The request cannot be read.');
  request.log.error(error, 'fault');
  return new ProblemError('internal', 'Something failed on our side; the request id finds it in the log.');
}

/** Validation errors in the caller's words: which parameter, and what it takes. */
function invalid(error: FastifyError): ProblemError {
  const errors: ProblemDetail[] = (error.validation ?? []).map((one) => {
    const parameter = one.instancePath.split('/')[1] || String(one.params?.missingProperty ?? '');
    // A schema's description says in words what its pattern demands.
    return { parameter, code: one.keyword, message: `${parameter} ${one.message ?? 'is not valid'}` };
  });
  const detail = errors[0]?.message ?? 'A parameter is not valid';
  return new ProblemError('invalid_parameter', `${detail}.`, { errors });
}

/** PostgreSQL is away or full: classes 08, 53 and 57P0, a database that is gone, and the socket's own errors. */
function isConnectionLoss(error: { code?: string; message: string }): boolean {
  return (
    /^(08|53|57P0)|^(3D000|ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(error.code ?? '') ||
    error.message === 'Connection terminated unexpectedly'
  );
}
