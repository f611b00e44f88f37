/**
 * Errors as data (RFC 9457). A handler throws a ProblemError made by one of the constructors below; everything else
 * that is thrown is a fault: logged, answered as `internal`, and nothing of it leaves the process.
 */

export const PROBLEMS = {
  invalid_parameter: { status: 400, title: 'A parameter is not valid' },
  invalid_cert: { status: 400, title: 'The cert number is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid' },
  upload_malformed: { status: 400, title: 'The upload is malformed' },
  image_unreadable: { status: 400, title: 'The image cannot be read' },
  unauthorized: { status: 401, title: 'The API key is not valid' },
  not_found: { status: 404, title: 'Not found' },
  unknown_game: { status: 404, title: 'Unknown game' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  upload_too_large: { status: 413, title: 'The upload is too large' },
  invalid_form: { status: 422, title: 'The form is not valid' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ProblemCode = keyof typeof PROBLEMS;

/** JSON Schema of a problem as it goes on the wire. */
export const PROBLEM_SCHEMA = {
  type: 'object',
  title: 'Problem',
  description: 'RFC 9457 problem document.',
  required: ['type', 'title', 'status', 'detail', 'error', 'requestId'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'One sentence a person can act on.' },
    error: { type: 'string', enum: Object.keys(PROBLEMS) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          parameter: { type: 'string' },
          pointer: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
        },
      },
    },
  },
} as const;

export type ProblemDetail = { parameter?: string; pointer?: string; code: string; message: string };

export class ProblemError extends Error {
  override name = 'ProblemError';
  readonly code: ProblemCode;
  readonly errors: ProblemDetail[] | undefined;
  readonly extra: Record<string, unknown>;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    detail: string,
    more: { errors?: ProblemDetail[]; extra?: Record<string, unknown>; headers?: Record<string, string> } = {},
  ) {
    super(detail);
    this.code = code;
    this.errors = more.errors;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }
}

export function notFound(detail: string, extra: Record<string, unknown> = {}): ProblemError {
  return new ProblemError('not_found', detail, { extra });
}

export function unknownGame(games: readonly string[]): ProblemError {
  return new ProblemError('unknown_game', `The game must be one of ${games.join(', ')}.`);
}

export function invalidParameter(parameter: string, message: string): ProblemError {
  return new ProblemError('invalid_parameter', message, { errors: [{ parameter, code: 'invalid', message }] });
}

/** The body of a problem, as it goes on the wire. */
export function problemBody(problem: ProblemError, baseUrl: string, requestId: string): Record<string, unknown> {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: `${baseUrl}/problems/${problem.code.replaceAll('_', '-')}`,
    title,
    status,
    detail: problem.message,
    error: problem.code,
    requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.extra,
  };
}
