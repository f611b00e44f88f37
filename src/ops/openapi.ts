import { type TObject, type TSchema, Type } from 'typebox';
import type { Config } from '../config.ts';
import { MAX_PART_BYTES, type UploadRules } from '../http/body/upload.ts';
import { type Endpoint, endpoint, LINES_PER_UNIT, type Mounting } from '../http/endpoint.ts';
import { PROBLEM_SCHEMA, PROBLEMS, type ProblemCode } from '../http/problem.ts';
import { exampleOf } from './openapi-example.ts';

/** A partner sends both headers; either alone is denied. */
const SECURITY_SCHEMES = {
  keyId: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: 'Id of a partner key.' },
  keySecret: { type: 'apiKey', in: 'header', name: 'X-Api-Secret', description: 'Its secret. Never for browsers.' },
} as const;

/** Of the bytes as they were sent, and of the representation, which HEAD sends too; the same where both are present. */
const DIGEST_HEADERS = Object.fromEntries(
  ['Content-Digest', 'Repr-Digest'].map((name) => [
    name,
    { description: 'RFC 9530, sha-256.', required: name === 'Repr-Digest', schema: { type: 'string' } },
  ]),
);

/** Of a file on the disk, where a request names a part of it. */
const PART_RESPONSES = {
  206: { description: 'The part that Range names.' },
  416: {
    description: PROBLEMS.range_not_satisfiable.title,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  },
};

/** Groups of routes, by the word behind /v1. */
const TAGS: Record<string, string> = {
  health: 'Whether the service is up.',
  status: 'Graders and markets, and how their last calls went.',
  usage: 'What is left of your budgets.',
  partners: 'Applications for a partner key.',
  report: 'Reports of wrong data.',
  'openapi.json': 'This document.',
  'openapi-3.2.json': 'This document in version 3.2.',
  accuracy: 'How far prices were off from later sales.',
  items: 'Cards: identity, prices, sales and series.',
  games: 'The games and what the catalog has of each.',
  sets: 'Sets and their cards.',
  search: 'Search by words, tags, photo or embedding.',
  tags: 'Tags that cards have.',
  trades: 'The newest sales over all cards.',
  changes: 'Which prices each close changed, and why.',
  corrections: 'What would change a published number today.',
  audit: 'Prices and ids that may be on the wrong card.',
  graded: 'Graded slabs by cert number or photo.',
  valuations: 'What lists of cards are worth.',
  resolve: 'Which cards titles mean.',
  indices: 'Market indices and their open data.',
  record: 'The public record of every close.',
  receipts: 'What a price was computed from, with proofs.',
  bulk: 'Everything as files, for programs that want it all.',
  cards: 'Older paths of `items`, for shipped clients.',
};

export type ServiceInfo = { name: string; baseUrl: string; contact: string | null };

/** The OpenAPI 3.1 document of a table of routes. Aliases outside the contract are marked deprecated. */
export function openapiDocument(routes: readonly Mounting[], service: ServiceInfo): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { [route.endpoint.body || route.endpoint.upload ? 'post' : 'get']: operationOf(route, path) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${service.name} API`,
      version: '1',
      description:
        'Reference prices of trading cards and graded slabs, modeled from recorded sales. Never offers to sell.',
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      contact: contactOf(service),
    },
    servers: [{ url: service.baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    security: [{}, { keyId: [], keySecret: [] }],
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Problem: PROBLEM_SCHEMA, ...namedSchemas(routes) },
    },
  };
}

/** The operator's contact; the form of the pages where none is set. */
function contactOf({ name, baseUrl, contact }: ServiceInfo): object {
  const email = contact?.startsWith('mailto:') ? { email: contact.slice('mailto:'.length) } : {};
  return { name, url: contact?.startsWith('https:') ? contact : `${baseUrl}/report`, ...email };
}

function operationOf({ endpoint, extraHeaders }: Mounting, path: string): object {
  const legacy = extraHeaders?.deprecation !== undefined;
  return {
    operationId: legacy
      ? `legacy${path.replace(/\W+(\w)?/g, (_all, letter?: string) => letter?.toUpperCase() ?? '')}`
      : idOf(endpoint, path),
    summary: endpoint.summary,
    description: descriptionOf(endpoint),
    tags: [path.split('/')[2]?.replace(/\.csv$/, '') ?? 'health'],
    ...(legacy ? { deprecated: true } : {}),
    parameters: [
      ...parametersOf(endpoint.params, 'path'),
      ...parametersOf(endpoint.query, 'query'),
      ...parametersOf(endpoint.headers, 'header'),
    ],
    ...requestBodyOf(endpoint),
    responses: {
      [endpoint.success ?? 200]: {
        description: endpoint.success === 201 ? 'Created' : 'OK',
        ...(endpoint.download ? { headers: DIGEST_HEADERS } : {}),
        content: {
          [endpoint.isStream ? 'text/event-stream' : (endpoint.download ?? 'application/json')]: {
            ...(referenced({ schema: endpoint.response }) as object),
            example: exampleAnswer(endpoint),
          },
        },
      },
      ...(endpoint.isStream ? { 204: { description: 'Nothing is left of the stream.' } } : {}),
      ...(endpoint.isStreamedFile === 'parts' ? PART_RESPONSES : {}),
      ...(endpoint.maxAgeSeconds === 'no-store'
        ? {}
        : { 304: { description: 'Not modified: the caller has this version.' } }),
      ...problemResponses(endpoint, path),
    },
  };
}

/** Cost and caching of a route, from the table that serves it. */
function descriptionOf({ summary, policy = 'daily', maxAgeSeconds, isStream, linesOf }: Endpoint): string {
  const units = linesOf ? `a unit for each ${LINES_PER_UNIT} lines ` : '';
  const cost = policy === 'open' ? 'It costs nothing.' : `It takes ${units}from the budget \`${policy}\`.`;
  const kept =
    maxAgeSeconds === 'no-store' ? 'Answers may not be cached.' : `Answers may be cached for ${maxAgeSeconds} seconds.`;
  return `${summary}. ${cost} ${isStream ? 'It answers with server-sent events.' : kept}`;
}

function exampleAnswer({ response, isStream }: Endpoint): unknown {
  if (isStream) return 'id: 1\nevent: progress\ndata: {"stage":"identify","message":"…","status":"running"}\n\n';
  return exampleOf(plain(response) as Parameters<typeof exampleOf>[0]);
}

function requestBodyOf({ body, upload, readCsv }: Endpoint): object {
  const csv = readCsv ? { 'text/csv': { schema: { type: 'string', description: CSV_BODY } } } : {};
  if (body)
    return { requestBody: { required: true, content: { 'application/json': { schema: plain(body) }, ...csv } } };
  return upload ? { requestBody: { required: true, content: { 'multipart/form-data': uploadOf(upload) } } } : {};
}

const CSV_BODY = 'A header with the names of the members of a line, then a line each; `externalId` as `space:id`.';

const PHOTO_TYPES = 'image/jpeg, image/png, image/webp, image/avif';

/** Generators make a file of `format: binary`; `encoding` names the media types. */
function uploadOf({ part, maxParts }: UploadRules): object {
  const photo = {
    type: 'string',
    format: 'binary',
    description: `JPEG, PNG, WebP or AVIF, at most ${MAX_PART_BYTES / 2 ** 20} MB.`,
  };
  const schema = maxParts === 1 ? photo : { type: 'array', minItems: 1, maxItems: maxParts, items: photo };
  return {
    schema: { type: 'object', required: [part], properties: { [part]: schema } },
    encoding: { [part]: { contentType: PHOTO_TYPES } },
  };
}

/** The same endpoint under two paths (health) needs two operation ids. */
function idOf(endpoint: Endpoint, path: string): string {
  return path.startsWith('/v1/') ? endpoint.id : `${endpoint.id}Unprefixed`;
}

function parametersOf(schema: TObject | undefined, place: 'path' | 'query' | 'header'): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = property as TSchema & { description?: string };
    const required = place === 'path' || ((schema?.required as string[] | undefined) ?? []).includes(name);
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required,
      ...(description ? { description } : {}),
      schema: plain(rest),
    };
  });
}

/** `idempotency-key` as it is usually written: Idempotency-Key. */
function headerName(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

function problemResponses(endpoint: Endpoint, path: string): Record<number, object> {
  // Every path can meet a bad request (400), a wrong key (401), a fault (500) and a database that is away (503).
  const statuses = new Set<number>([400, 401, ...(endpoint.statuses ?? []), 500, 503]);
  // Behind the gate there are bursts even where no budget is taken from.
  if (path.startsWith('/v1/') && endpoint.policy !== 'open') statuses.add(429);
  if (endpoint.upload) statuses.add(413);
  if (endpoint.body) for (const status of [413, endpoint.unfitBody ?? 422]) statuses.add(status);
  return Object.fromEntries(
    [...statuses].map((status) => [
      status,
      {
        description: titlesOf(status),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );
}

function titlesOf(status: number): string {
  const codes = Object.keys(PROBLEMS).filter((code) => PROBLEMS[code as ProblemCode].status === status);
  return codes.map((code) => PROBLEMS[code as ProblemCode].title).join('; ');
}

/** Every schema with a title becomes a component; elsewhere it is referred to. */
function namedSchemas(routes: readonly Mounting[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const title = (node as { title?: unknown }).title;
    if (typeof title === 'string' && found[title] === undefined) {
      found[title] = null;
      found[title] = referenced(node);
    }
    for (const inner of Object.values(node)) visit(inner);
  };
  for (const { endpoint } of routes) visit(endpoint.response);
  return found;
}

/** As JSON; schemas with a title inside it are referred to. */
export function referenced(schema: unknown): unknown {
  const text = JSON.stringify(schema, (key, value) => {
    if (key === '$id') return undefined;
    return key !== '' && typeof value?.title === 'string' ? { $ref: `#/components/schemas/${value.title}` } : value;
  });
  return plain(JSON.parse(text));
}

/** As JSON; lists of words say their type, without which some generators make `any` of them. */
function plain(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema), (_key, value) =>
    Array.isArray(value?.enum) && value.type === undefined ? { type: 'string', ...value } : value,
  );
}

/** The document of the given routes for a config, made once. */
export function openapiDocuments(routes: () => readonly Mounting[]): (config: Config) => object {
  const documents = new WeakMap<Config, object>();
  return (config) => {
    const { serviceName: name, baseUrl, securityContact: contact } = config;
    const made = documents.get(config) ?? openapiDocument(routes(), { name, baseUrl, contact });
    documents.set(config, made);
    return made;
  };
}

/** The endpoint that serves the document. */
export function openapiEndpoint(documentOf: (config: Config) => object): Endpoint {
  return endpoint({
    id: 'openapi',
    summary: 'This API as an OpenAPI 3.1 document',
    response: Type.Object({ openapi: Type.String() }, { additionalProperties: true }),
    maxAgeSeconds: 300,
    policy: 'open',
    handle: ({ config }) => ({ body: documentOf(config) }),
  });
}
