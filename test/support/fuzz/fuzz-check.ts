import { Compile } from 'typebox/schema';
import type { FuzzAnswer } from './fuzz-client.ts';
import { type OpenApi, pathMatcher } from './fuzz-document.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { Schema } from './fuzz-values.ts';

/** What an answer must never hold: traces of the program, its files, its SQL. */
export const LEAKS =
  /node_modules|\/src\/|\.ts:\d|\bat \w+ \(|SQLSTATE|syntax error at or near|relation "|pg_catalog|ECONN/;
const SLOW_MS = 5000;

/** Compares answers with the document; null, or what is wrong in a few words. */
export type Checker = (request: FuzzRequest, answer: FuzzAnswer, tookMs: number) => string | null;

export function checker(document: OpenApi): Checker {
  const pathOf = pathMatcher(document);
  const compiled = new Map<Schema, (value: unknown) => string | null>();
  function validate(schema: Schema, value: unknown): string | null {
    let check = compiled.get(schema);
    if (check === undefined) {
      const validator = Compile({ ...schema, components: document.components } as never);
      check = (one) => {
        if (validator.Check(one)) return null;
        const [, errors] = validator.Errors(one);
        return errors
          .map(({ instancePath, message }) => `${instancePath} ${message}`)
          .slice(0, 3)
          .join('; ');
      };
      compiled.set(schema, check);
    }
    return check(value);
  }

  return ({ method, target }, { status, headers, body }, tookMs) => {
    // A busy machine may say so, as documented, with the time after which to come again.
    if (status === 503 && headers['retry-after']) return problemOf(headers, body, method);
    if (status >= 500) return `${status}`;
    if (tookMs > SLOW_MS) return `took more than ${SLOW_MS} ms`;
    if (!headers['x-request-id']) return `${status} without a request id`;
    if (status === 401 && !headers['www-authenticate']) return '401 without WWW-Authenticate';
    if (status === 405 && !headers.allow) return '405 without Allow';
    const methods = document.paths[pathOf(target) ?? ''];
    // Outside the API, browsers get a page.
    const mayBePage =
      !/^\/(v1|health|ready)(\/|\?|$)/i.test(target) && headers['content-type']?.startsWith('text/html') === true;
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const declared = methods?.[asked]?.responses[status];
    if (methods === undefined) {
      // Not a path of ours as it was sent; still one by another spelling, perhaps: then it has to be well-formed.
      if (status === 204 || status === 304) return null;
      if (mayBePage) return null;
      if (status >= 400) return problemOf(headers, body, method);
      return null;
    }
    if (methods[asked] === undefined) {
      if (method === 'OPTIONS' && status === 204) return null;
      // Malformed HTTP, a spent budget and a wrong key are rejected before the method is read.
      if (![400, 401, 405, 429].includes(status)) return `${status} to ${method}, which is not declared`;
      return mayBePage ? null : problemOf(headers, body, method);
    }
    if (declared === undefined) return `${status}, which is not declared`;
    if (status >= 400) return problemOf(headers, body, method);
    if (status === 304 || method === 'HEAD') return body === '' ? null : `a body with ${status} to ${method}`;
    const [[type, { schema }] = [null, { schema: {} }]] = Object.entries(declared.content ?? {});
    if (type === null || !headers['content-type']?.startsWith(type)) return `content type ${headers['content-type']}`;
    const value = type === 'application/json' ? parsed(body) : body;
    if (value === undefined) return 'a body that is no JSON';
    const errors = validate(schema, value);
    return errors && `${status} rejected by its schema: ${errors}`;
  };

  function problemOf(headers: Record<string, string>, body: string, method: string): string | null {
    if (!headers['content-type']?.startsWith('application/problem+json'))
      return `an error of content type ${headers['content-type']}`;
    if (headers['access-control-allow-origin'] !== '*') return 'an error without CORS headers';
    if (method === 'HEAD') return body === '' ? null : 'a body in an answer to HEAD';
    const leak = LEAKS.exec(body);
    if (leak) return `an error that reveals internals: ${leak[0]}`;
    const value = parsed(body);
    const errors = validate(document.components.schemas.Problem!, value);
    return errors && `a problem rejected by its schema: ${errors}`;
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
