/**
 * Errors as data (RFC 9457). A handler throws a ProblemError made by one of the constructors below; everything else
 * that is thrown is a fault: logged, answered as `internal`, and nothing of it leaves the process.
 */

import { quoted } from './allowed.ts';

/** `meaning` and `remedy` are the page of a problem's `type`. */
export const PROBLEMS = {
  invalid_parameter: {
    status: 400,
    title: 'A parameter is not valid',
    meaning: 'A parameter of the path, the query, a header or the body has a value that the route does not accept.',
    remedy:
      '`detail` says what the parameter must be and what was sent, `errors` lists every parameter at fault. Values are never adjusted to fit: send one within the limits.',
  },
  invalid_cert: {
    status: 400,
    title: 'The cert number is not valid',
    meaning: 'The text is not a cert number of a graded slab.',
    remedy:
      'Send 5 to 20 digits, with a grader such as PSA, BGS or CGC before them; bare digits are PSA. A valid number that we do not know is not an error: it is answered with 200 and `found: false`.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    meaning: 'The `after` cursor was changed, belongs to another query, is too old or is past the last page.',
    remedy: 'Send `nextCursor` of the previous page unchanged, with the same query. Otherwise start at the first page.',
  },
  upload_malformed: {
    status: 400,
    title: 'The upload is malformed',
    meaning: 'The upload is not multipart/form-data with the expected part, or it did not arrive completely.',
    remedy: 'Send the photo as multipart/form-data in a part with the name that the route gives, usually `file`.',
  },
  image_unreadable: {
    status: 400,
    title: 'The image cannot be read',
    meaning:
      'No label of a slab can be read in the photo. It is the `error` of a stream’s `failed` event; an upload that is not a photo is `upload_malformed`.',
    remedy: 'Take the photo again: near, sharp, without glare, with the whole label in view.',
  },
  unauthorized: {
    status: 401,
    title: 'The API key is not valid',
    meaning: 'The key id or the secret is missing, unknown, wrong or revoked.',
    remedy: 'Send both X-Api-Key and X-Api-Secret exactly as issued, or neither of them to use the public budget.',
  },
  approved_access_required: {
    status: 403,
    title: 'Approved access required',
    meaning: 'This installation shows trade history beyond a number of days to partners only.',
    remedy:
      'Send a `window` of at most the days that `detail` names, or a partner key; apply for one with POST /v1/partners/apply.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    meaning: 'There is no route, card, set, index or day at this address.',
    remedy:
      'Copy card addresses from the `href` of a response. Where the error has `candidates`, use one of them unchanged.',
  },
  ambiguous: {
    status: 404,
    title: 'Several cards have this id',
    meaning: 'The id is of several printings: finishes or languages of one card, or its source uses it twice.',
    remedy:
      'Add `variation` or `language` as `detail` lists them, or use one of `candidates`, the addresses of the printings.',
  },
  unknown_game: {
    status: 404,
    title: 'Unknown game',
    meaning: 'The address names a game that the service does not cover.',
    remedy: 'Use one of the slugs that `detail` lists; GET /v1/games lists them with their names.',
  },
  withdrawn: {
    status: 410,
    title: 'Withdrawn',
    meaning: 'The card was removed from the catalog: it was a duplicate, or does not exist. It no longer has a price.',
    remedy:
      'Use the card at `replacedBy` where there is one, and remove the old address; `removedAt` is when the card was taken out.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    meaning: 'The route exists, but not for this method.',
    remedy: 'Use one of the methods in the Allow header.',
  },
  upload_too_large: {
    status: 413,
    title: 'The upload is too large',
    meaning: 'The body is larger than the route accepts: 15 MB for a photo.',
    remedy: 'Send a smaller photo; 2,000 pixels on the long side are enough.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    meaning: 'The Range header names a part that begins behind the end of the file.',
    remedy: '`Content-Range` says how long the file is. Without a Range header it is sent as a whole.',
  },
  invalid_form: {
    status: 422,
    title: 'The form is not valid',
    meaning: 'A field of the form is missing, unknown or has a value that does not fit.',
    remedy: '`errors` names each field by its JSON pointer and says what it must be.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    meaning: 'A limit is reached: the budget of the day, or the number of requests within a short time.',
    remedy:
      'Wait for as many seconds as Retry-After says. `detail` and RateLimit-Policy name the limit; GET /v1/usage shows every budget and costs nothing. A partner key has a larger budget.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    meaning: 'Something failed on our side; the request was not at fault.',
    remedy: 'Try again. If it fails again, report it with the `requestId`, which finds the error in our log.',
  },
  unavailable: {
    status: 503,
    title: 'Temporarily unavailable',
    meaning: 'A part of the service that the route needs is busy, starting, or not set up on this installation.',
    remedy: 'Try again after as many seconds as Retry-After says; `detail` says what is missing.',
  },
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
    candidates: {
      type: 'array',
      items: { type: 'string' },
      description: 'Of `not_found` and `ambiguous`: addresses of cards or grades that may have been meant.',
    },
    removedAt: { type: 'string', format: 'date-time', description: 'Of `withdrawn`.' },
    replacedBy: {
      type: ['string', 'null'],
      description: 'Of `withdrawn`: the address of the card that took its place.',
    },
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

type ProblemDetail = { parameter?: string; pointer?: string; code: string; message: string };

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
    // An answer, not a fault: to find out where it was made would take a fifth of the time of a 401.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(detail);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.errors = more.errors;
    this.extra = more.extra ?? {};
    this.headers = more.headers ?? {};
  }
}

export function notFound(detail: string, extra: Record<string, unknown> = {}): ProblemError {
  return new ProblemError('not_found', detail, { extra });
}

/** `retryAfterSeconds`: when it is worth trying again. */
export function unavailable(
  detail: string,
  retryAfterSeconds: number,
  extra: Record<string, unknown> = {},
): ProblemError {
  return new ProblemError('unavailable', detail, { extra, headers: { 'retry-after': String(retryAfterSeconds) } });
}

export function unknownGame(games: readonly string[], sent: string): ProblemError {
  return new ProblemError('unknown_game', `game must be one of ${games.join(', ')}; got ${quoted(sent)}.`);
}

/** `message` says what is allowed and what was sent. */
export function invalidParameter(parameter: string, message: string): ProblemError {
  return new ProblemError('invalid_parameter', message, { errors: [{ parameter, code: 'invalid', message }] });
}

/** For a cursor of a list; where it is one, `message` says why it does not belong here. */
export function invalidCursor(
  message = 'after is not a cursor: send nextCursor of the previous page unchanged.',
): ProblemError {
  return new ProblemError('invalid_cursor', message, {
    errors: [{ parameter: 'after', code: 'invalid_cursor', message }],
  });
}

/** `allowed` is what the parameter must be, `sent` what it was. */
export function invalidValue(parameter: string, allowed: string, sent: unknown): ProblemError {
  return invalidParameter(parameter, `${parameter} must be ${allowed}; got ${quoted(sent)}.`);
}

/** Site-relative address of the page that explains a code. */
export function problemPath(code: ProblemCode): string {
  return `/problems/${code.replaceAll('_', '-')}`;
}

/** The body of a problem, as it goes on the wire. */
export function problemBody(problem: ProblemError, baseUrl: string, requestId: string): Record<string, unknown> {
  const { status, title } = PROBLEMS[problem.code];
  return {
    type: baseUrl + problemPath(problem.code),
    title,
    status,
    detail: problem.message,
    error: problem.code,
    requestId,
    ...(problem.errors ? { errors: problem.errors } : {}),
    ...problem.extra,
  };
}
