import type { FastifyInstance } from 'fastify';
import { isUploadRoute } from '../connection/server-limits.ts';
import { ProblemError } from '../problem.ts';

const MAX_DEPTH = 32;
/** A full list of 1,000 lines has 18,000; each that does not fit its schema is an error with a text. */
const MAX_VALUES = 25_000;

/**
 * Bodies are JSON in UTF-8, except uploads; some routes take CSV too. Rejected: other types, bytes that are not UTF-8 (overlong
 * forms included), a byte order mark, a key twice in one object, `__proto__` and `constructor.prototype` keys, NUL characters
 * and lone surrogates (no database takes them), deep nests, too many values.
 */
export function readJsonOnly(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  // Uploads are read by their routes, as they arrive.
  app.addContentTypeParser('multipart/form-data', (request, _payload, done) => {
    done(isUploadRoute(request) ? null : rejected('Send the body as application/json.'));
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    const { readCsv } = request.routeOptions.config as { readCsv?: (text: string) => unknown };
    try {
      if (readCsv === undefined) throw rejected('Send the body as application/json.');
      done(null, readCsv(textOf(body)));
    } catch (error) {
      done(error as Error);
    }
  });
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body: Buffer, done) => {
    let text: string;
    try {
      text = textOf(body);
    } catch (error) {
      done(error as Error);
      return;
    }
    parse(request, text, (error, value) => {
      const violation = error || text.startsWith('\ufeff') ? 'The body is not JSON.' : textViolation(value, text);
      if (violation === null) done(null, value);
      else done(rejected(violation));
    });
  });
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(body: Buffer): string {
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    throw rejected('The body is not UTF-8.');
  }
  // Neither JSON nor CSV has one, and PostgreSQL takes none.
  if (text.includes('\0')) throw rejected('The body contains a NUL character.');
  return text;
}

function rejected(detail: string): ProblemError {
  return new ProblemError('invalid_parameter', detail);
}

/** Walks level by level, not by recursion: 64 kB of brackets would overflow the stack. */
function textViolation(value: unknown, text: string): string | null {
  let keys = 0;
  let values = 1;
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} deep.`;
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one === 'string' && /\0|\p{Surrogate}/u.test(one))
        return 'The body contains a character that is not text.';
      if (typeof one !== 'object' || one === null) continue;
      const entries = Object.entries(one);
      values += entries.length;
      if (values > MAX_VALUES) return `The body has more than ${MAX_VALUES} values.`;
      for (const [key, inner] of entries) next.push(key, inner);
      if (!Array.isArray(one)) keys += entries.length;
    }
    level = next;
  }
  // Outside of strings JSON has one colon a key; of a repeated key the parser kept one.
  const colons = text.replace(/"(?:[^"\\]|\\.)*"/g, '').split(':').length - 1;
  return colons === keys ? null : 'The body has a key twice.';
}
