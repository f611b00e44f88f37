import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROUTES } from '../../src/routes.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

type Answer = {
  content?: Record<
    string,
    { schema?: object; itemSchema?: { oneOf: { properties: { event: { const: string }; data: object } }[] } }
  >;
};

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  api = await testApp(database.db);
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

test('the document is served for this installation, in version 3.1, and may be cached', async () => {
  const { status, json, headers } = await api.get('/v1/openapi.json');
  expect([status, json.openapi]).toEqual([200, '3.1.0']);
  expect(json.servers).toEqual([{ url: BASE_URL }]);
  expect(headers.etag).toBeDefined();
});

test('in version 3.2 it says what each event of a stream has; all else is the same', async () => {
  const { json: older } = await api.get('/v1/openapi.json');
  const { status, json } = await api.get('/v1/openapi-3.2.json');
  expect([status, json.openapi]).toEqual([200, '3.2.0']);
  const streams: string[] = [];
  for (const [path, operations] of Object.entries<Record<string, { responses: Record<string, Answer> }>>(json.paths))
    for (const [method, { responses }] of Object.entries(operations)) {
      const stream = responses[200]?.content?.['text/event-stream'];
      if (stream === undefined) continue;
      streams.push(path);
      expect(stream.schema, path).toBeUndefined();
      const events = stream.itemSchema!.oneOf.map(({ properties }) => [properties.event.const, properties.data]);
      expect(events.map(([name]) => name)).toEqual(['progress', 'result', 'failed']);
      expect(events[1]![1]).toMatchObject({ contentSchema: { $ref: '#/components/schemas/GradedLookup' } });
      responses[200]!.content = older.paths[path][method].responses[200].content;
    }
  expect(streams.sort()).toEqual(['/v1/graded/by-image', '/v1/graded/{cert}/stream']);
  expect({ ...json, openapi: older.openapi }).toEqual(older);
});

test('it is made once, not at each request', async () => {
  const { endpoint } = ROUTES.find(({ path }) => path === '/v1/openapi.json')!;
  const made = () => (endpoint.handle(api.context, {} as never) as { body: object }).body;
  expect(made()).toBe(made());
});

test('it names every route with its parameters, answers and errors', async () => {
  const { paths } = (await api.get('/v1/openapi.json')).json;
  for (const { path, endpoint } of ROUTES) {
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')][endpoint.body || endpoint.upload ? 'post' : 'get'];
    const names = operation.parameters.map((one: { name: string }) => one.name);
    const declared = [endpoint.params, endpoint.query].flatMap((schema) => Object.keys(schema?.properties ?? {}));
    const headers = Object.keys(endpoint.headers?.properties ?? {}).map((name) =>
      expect.stringMatching(new RegExp(`^${name}$`, 'i')),
    );
    expect(names, path).toEqual([...declared, ...headers]);
    if (endpoint.body)
      for (const code of [400, 413, endpoint.unfitBody ?? 422, 429])
        expect(operation.responses).toHaveProperty(String(code));
    if (endpoint.upload) {
      const { schema } = operation.requestBody.content['multipart/form-data'];
      expect(schema.required).toEqual([endpoint.upload.part]);
      for (const code of [400, 413, 429]) expect(operation.responses).toHaveProperty(String(code));
    }
    for (const one of operation.parameters) expect(one.description, `${path} ${one.name}`).toBeTruthy();
    for (const code of [endpoint.success ?? 200, 401, 500, 503])
      expect(operation.responses, path).toHaveProperty(String(code));
    // A cert that nobody knows is an answer, not a missing page.
    if (path.includes(':') && !path.startsWith('/v1/graded/')) expect(operation.responses, path).toHaveProperty('404');
    const isLegacy = path.startsWith('/v1/cards') || path === '/v1/search/detect-cards';
    if (isLegacy && path !== '/v1/cards/by-upstream-id/:rid') expect(operation.deprecated).toBe(true);
    else expect(operation.deprecated, path).toBeUndefined();
  }
});

test('it says how a partner authenticates: both headers, or none', async () => {
  const { security, components } = (await api.get('/v1/openapi.json')).json;
  expect(security).toEqual([{}, { keyId: [], keySecret: [] }]);
  expect(components.securitySchemes).toMatchObject({
    keyId: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
    keySecret: { type: 'apiKey', in: 'header', name: 'X-Api-Secret' },
  });
});

test('every reference in it leads somewhere', async () => {
  const { text, json } = await api.get('/v1/openapi.json');
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  expect(references.length).toBeGreaterThan(20);
  for (const [, kind, name] of references) expect(json.components[kind!], name).toHaveProperty(name!);
});
