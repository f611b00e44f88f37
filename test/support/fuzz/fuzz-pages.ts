import { FORMS, PAGES } from '../../../src/routes.ts';
import { LEAKS } from './fuzz-check.ts';
import type { FuzzAnswer } from './fuzz-client.ts';
import type { OpenApi, Operation, Parameter } from './fuzz-document.ts';
import type { FuzzRequest } from './fuzz-requests.ts';
import type { Schema } from './fuzz-values.ts';

/** What pages read from their query, over all of them. */
const QUERY = ['window', 'sort', 'language', 'page', 'q', 'game', 'tag', 'character', 'cert', 'grade', 'w', 'after'];
const TEXT: Schema = { type: 'string', maxLength: 80 };
/** 401: a form that comes with a wrong key. */
const EXPECTED = [200, 204, 303, 304, 308, 400, 401, 404, 405, 410, 413, 422, 429];

/** The pages, their files, feeds and forms, as a document that requests can be made from. */
export function pagesDocument(): OpenApi {
  const paths: OpenApi['paths'] = {};
  for (const { path } of PAGES) paths[templateOf(path)] = { get: operation(path, 'query') };
  for (const { path, fields } of FORMS) {
    const schema = (fields ?? { type: 'object', properties: { cert: TEXT } }) as unknown as Schema;
    const requestBody = { content: { 'application/x-www-form-urlencoded': { schema } } };
    paths[templateOf(path)] = { ...paths[templateOf(path)], post: { ...operation(path), requestBody } };
  }
  return { paths, components: { schemas: {} } };
}

function templateOf(path: string): string {
  return path.replace(/:(\w+)/g, (_, name: string) => `{${pooled(name)}}`);
}

/** The name by which values of a path parameter are known: a card's segment is an item's in the API. */
function pooled(name: string): string {
  return name === 'card' ? 'item' : name;
}

function operation(path: string, query?: 'query'): Operation {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => pooled(name!));
  const inPath = names.map((name): Parameter => ({ name, in: 'path', required: true, schema: TEXT }));
  const inQuery = query ? QUERY.map((name): Parameter => ({ name, in: 'query', required: false, schema: TEXT })) : [];
  return { parameters: [...inPath, ...inQuery], responses: {} };
}

/** What is wrong with an answer outside the API, in a few words; null when nothing is. */
export function checkPage({ method }: FuzzRequest, { status, headers, body }: FuzzAnswer): string | null {
  // The search index is still being built, or the machine is busy.
  if (status === 503 && headers['retry-after']) return null;
  if (status >= 500) return `${status}`;
  if (!EXPECTED.includes(status)) return `${status}, which no page answers`;
  if (!headers['x-request-id']) return `${status} without a request id`;
  if (status !== 204 && !headers['content-security-policy']) return `${status} without a content policy`;
  if ((status === 303 || status === 308) && !/^\/[\x21-\x7e]*$/.test(headers.location ?? ''))
    return `${status} to ${headers.location}`;
  if (method === 'HEAD' && body !== '') return 'a body in an answer to HEAD';
  const leak = status >= 400 ? LEAKS.exec(body) : null;
  return leak && `an error that shows the inside: ${leak[0]}`;
}
