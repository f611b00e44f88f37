/**
 * Writes packages/client/src/api.ts, the types and routes of the client, from test/contract/openapi.json: `node
 * scripts/client-api.mjs`. A test checks that the file is current.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const DOCUMENT = fileURLToPath(new URL('../test/contract/openapi.json', import.meta.url));
const API = fileURLToPath(new URL('../packages/client/src/api.ts', import.meta.url));
const METHODS = ['get', 'post', 'put', 'delete'];

/** The same text as the formatter leaves it. */
export function formatted(text) {
  const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
  const { stdout, status } = spawnSync(biome, ['format', '--stdin-file-path=packages/client/src/api.ts'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  });
  if (status !== 0) throw new Error('the text cannot be formatted');
  return stdout;
}

/** The text of api.ts for an OpenAPI document. Aliases, which are deprecated, have no call. */
export function clientApi({ paths, components }) {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined || operation.deprecated
        ? []
        : [{ path, method: method.toUpperCase(), ...operation }];
    }),
  );
  const types = Object.entries(components.schemas).map(([name, schema]) => `export type ${name} = ${typeOf(schema)};`);
  const calls = operations.map(
    (one) =>
      `/** ${one.summary}. ${one.method} ${one.path} */\n${one.operationId}: { params: ${paramsOf(one)}; body: ${bodyOf(one)}; answer: ${answerOf(one)} };`,
  );
  const routes = operations.map((one) => `${one.operationId}: ${JSON.stringify(routeOf(one))},`);
  return [
    '// Written by scripts/client-api.mjs from the OpenAPI document; not to be edited.',
    "import type { ServerEvent } from './events.ts';",
    ...types,
    '/** What each call takes and answers. */',
    `export type Calls = {\n${calls.join('\n')}\n};`,
    '/** Method, path, form of the answer and of the body; `creates`: to repeat it would do it twice. */',
    'export type Route = { method: string; path: string; answer: "json" | "text" | "bytes" | "events"; body?: "json" | "form"; creates?: true };',
    `export const ROUTES: { readonly [Id in keyof Calls]: Route } = {\n${routes.join('\n')}\n};\n`,
  ].join('\n\n');
}

function typeOf(schema) {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return [...new Set(parts.map((one) => parenthesized(typeOf(one), '&')))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((one) => parenthesized(typeOf(one), '|')).join(' & ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return schema.format === 'binary' ? 'Blob' : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array':
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function parenthesized(type, sign) {
  return type.includes(` ${sign} `) && !type.startsWith('{') ? `(${type})` : type;
}

function objectType({ properties = {}, required = [], additionalProperties, patternProperties = {} }) {
  const members = Object.entries(properties).map(([name, schema]) => member(name, schema, required.includes(name)));
  const [values = additionalProperties || {}] = Object.values(patternProperties);
  if (members.length === 0) members.push(`[name: string]: ${typeOf(values)}`);
  return `{\n${members.join(';\n')}\n}`;
}

function member(name, schema, isRequired) {
  const comment = schema.description === undefined ? '' : `/** ${schema.description.replaceAll('*/', '* /')} */\n`;
  return `${comment}${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}${isRequired ? '' : '?'}: ${typeOf(schema)}`;
}

function paramsOf({ parameters = [] }) {
  const named = parameters.filter((one) => one.in !== 'header');
  if (named.length === 0) return 'object';
  const members = named.map(({ name, schema, description, required = false }) =>
    member(name, { description, ...schema }, required),
  );
  return `{\n${members.join(';\n')}\n}`;
}

function bodyOf({ requestBody }) {
  if (requestBody === undefined) return 'undefined';
  const { 'multipart/form-data': form, 'application/json': json } = requestBody.content;
  return typeOf((form ?? json).schema);
}

/** What a call answers with: the body of its first success that has one. */
function successOf({ responses }) {
  const [, { content }] = Object.entries(responses).find(
    ([status, one]) => status.startsWith('2') && one.content !== undefined,
  );
  return Object.entries(content)[0];
}

function formOf(operation) {
  const [type] = successOf(operation);
  if (type === 'application/json') return 'json';
  if (type === 'text/event-stream') return 'events';
  return type === 'application/octet-stream' ? 'bytes' : 'text';
}

const ANSWERS = { text: 'string', bytes: 'Response', events: 'AsyncGenerator<ServerEvent>' };

function answerOf(operation) {
  const [, { schema }] = successOf(operation);
  return ANSWERS[formOf(operation)] ?? typeOf(schema);
}

function routeOf(operation) {
  const { method, path, requestBody, responses } = operation;
  const body = requestBody && ('multipart/form-data' in requestBody.content ? 'form' : 'json');
  const creates = '201' in responses || undefined;
  return { method, path, answer: formOf(operation), body, creates };
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(API, formatted(clientApi(JSON.parse(readFileSync(DOCUMENT, 'utf8')))));
