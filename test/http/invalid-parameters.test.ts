import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openapiDocument } from '../../src/ops/openapi.ts';
import { ROUTES } from '../../src/routes.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { anExternalId, anItem, aSet } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { formOf, MULTIPART } from '../support/multipart.ts';

type Schema = {
  type?: string;
  enum?: string[];
  anyOf?: Schema[];
  const?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
};
type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: Schema;
};
type Case = { method: 'GET' | 'POST'; path: string; parameter: Parameter; sent: string; times?: number };

/** A value that is right, for each parameter of a path and each required one of a query. */
const RIGHT: Record<string, string> = {
  game: 'pokemon',
  set: 'base-x1',
  item: '4-charizard',
  id: '00000000-0000-4000-8000-000000000000',
  space: 'tcgdex',
  rid: 'INV-1',
  cert: '12345678',
  certs: '12345678',
  date: '2026-06-01',
  day: '2026-06-01',
  grade: 'psa-10',
  kind: 'mood',
  q: 'charizard',
};
/** What no schema says: only the handler knows that these do not fit. */
const WRONG: Record<string, string[]> = {
  cert: ['no cert', '1234'],
  certs: ['12345678,no cert'],
  ids: ['nope'],
  date: ['2026-02-30', 'yesterday'],
  day: ['2026-02-30', 'yesterday'],
  asOf: ['2026-02-30', 'yesterday'],
  tag: ['Mood', 'mood:\u0001'],
  after: ['nope'],
};

const { paths } = openapiDocument(ROUTES, { name: 'Mintmark', baseUrl: 'https://prices.example', contact: null }) as {
  paths: Record<string, Record<'get' | 'post', { parameters: Parameter[] }>>;
};

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  const set = await aSet(database.db);
  RIGHT.set = set.segment;
  RIGHT.id = await anItem(database.db, { set, number: '4', name: 'Charizard', upstreamItemId: RIGHT.rid! });
  await anExternalId(database.db, { itemId: RIGHT.id, space: RIGHT.space! });
  api = await testApp(database.db);
  // Until the search index is built, answers of /ready and of searches change under a comparison.
  await vi.waitFor(async () => expect((await api.get('/ready')).status).toBe(200), { timeout: 20_000 });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

/** Values that the schema of a parameter does not allow. */
function misfits({ name, in: place, schema }: Parameter): string[] {
  const own = WRONG[name] ?? [];
  const number = [schema, ...(schema.anyOf ?? [])].find(({ type }) => type === 'integer');
  if (number)
    return [...own, String(number.minimum! - 1), String(number.maximum! + 1), '1e1', '01', '1.0', '-1', 'ten', ''];
  if (schema.enum) return [...own, 'nope', schema.enum[0]!.toUpperCase()].filter((one) => !schema.enum!.includes(one));
  const long = schema.maxLength !== undefined && place !== 'path' ? ['x'.repeat(schema.maxLength + 1)] : [];
  const short = (schema.minLength ?? 0) > 1 ? ['x'.repeat(schema.minLength! - 1)] : [];
  const formless = schema.pattern ? ['N!', '\u0001'].filter((one) => !new RegExp(schema.pattern!).test(one)) : [];
  return [...own, ...long, ...short, ...formless];
}

const CASES: Case[] = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations).flatMap(([method, { parameters }]) =>
    parameters.flatMap((parameter): Case[] => {
      const one = { method: method.toUpperCase() as 'GET' | 'POST', path, parameter };
      const repeats = parameter.in === 'query' && !parameter.schema.anyOf?.some(({ type }) => type === 'array');
      return [
        ...misfits(parameter).map((sent) => ({ ...one, sent })),
        ...(repeats ? [{ ...one, sent: RIGHT[parameter.name] ?? '1', times: 2 }] : []),
        ...(parameter.in === 'query' && parameter.required ? [{ ...one, sent: '', times: 0 }] : []),
      ];
    }),
  ),
);

async function answerTo({ method, path, parameter, sent, times = 1 }: Case) {
  const { name, in: place } = parameter;
  const value = (one: string) => (place === 'path' && one === name ? sent : RIGHT[one]!);
  const operation = paths[path]![method.toLowerCase() as 'get' | 'post'];
  const query = operation.parameters
    .filter((one) => one.in === 'query' && one.required && one.name !== name)
    .map((one): [string, string] => [one.name, RIGHT[one.name]!]);
  if (place === 'query') for (let i = 0; i < times; i++) query.push([name, sent]);
  const url = `${path.replace(/\{(\w+)\}/g, (_, one) => encodeURIComponent(value(one)))}?${new URLSearchParams(query)}`;
  const embedding = Array.from({ length: 512 }, (_, i) => (i === 0 ? 1 : 0));
  const body = path.endsWith('by-embedding')
    ? { headers: { 'content-type': 'application/json' }, payload: JSON.stringify({ embedding }) }
    : { headers: MULTIPART, payload: formOf({ name: 'file', bytes: 'x' }) };
  const { headers, ...more } = method === 'POST' ? body : { headers: {} };
  const own = place === 'header' ? { [name]: sent } : {};
  return api.app.inject({ method, url, ...more, headers: { ...headers, ...own } });
}

/** What a validator says of itself; no person can act on it. */
const MACHINE_WORDS = /allowed values|pattern|must match|must NOT|must be equal|anyOf|[[\]^$|]|\\u|\(\?/;

/** What has to be named: bounds, the values there are, or the words of the description. */
function allowed({ schema, description }: Parameter): string[] {
  const choices = [schema, ...(schema.anyOf ?? [])];
  const numbers = choices.flatMap(({ minimum, maximum }) =>
    maximum === undefined ? [] : [`${minimum} to ${maximum}`],
  );
  const words = choices.flatMap((one) => one.enum ?? (one.const ? [one.const] : []));
  return numbers.length + words.length > 0 ? [...numbers, ...words] : [description.split(/\.(\s|$)/)[0]!.slice(1)];
}

describe('a parameter that does not fit', () => {
  test('is looked for on every route that has parameters', () => {
    const met = new Set(CASES.map(({ path, parameter }) => `${path} ${parameter.name}`));
    const all = Object.entries(paths).flatMap(([path, operations]) =>
      Object.values(operations).flatMap(({ parameters }) => parameters.map(({ name }) => `${path} ${name}`)),
    );
    // Any text of a segment is a set, a card, a file or an id that may be unknown (404); any text of these a key or a word.
    const open = / (game|set|item|grade|id|rid|space|variation|language|name|Idempotency-Key)$/;
    expect(all.filter((one) => !met.has(one) && !open.test(one))).toEqual([]);
    expect(met.size).toBeGreaterThan(60);
  });

  test('is answered with what was sent and what is allowed, in words', async () => {
    for (const one of CASES) {
      const { parameter, sent, times = 1, path } = one;
      const { name, schema } = parameter;
      const what = `${path} ${name}=${JSON.stringify(sent)} ×${times}`;
      const response = await answerTo(one);
      if (path.endsWith('/stream') && parameter.in === 'path') {
        // The address of a stream is answered on the stream.
        expect(response.body, what).toContain('event: failed');
        expect(response.body, what).toContain(`cert must be a cert number; got \\"${sent}\\".`);
        continue;
      }
      expect(response.statusCode, `${what} ${response.body}`).toBe(400);
      const { detail, errors = [] } = response.json();
      // What was sent is quoted, whatever it is.
      expect(detail.replace(/got ".*"/s, ''), what).not.toMatch(MACHINE_WORDS);
      expect(detail, what).toMatch(/^\p{L}.*\.$/su);
      expect(detail.length, what).toBeLessThan(400);
      // A cursor is opaque: what is wrong with it is all there is to say.
      if (name === 'after' && sent === 'nope') continue;
      expect(errors[0]?.parameter.toLowerCase(), what).toBe(name.toLowerCase());
      expect(detail.toLowerCase(), what).toContain(name.toLowerCase());
      if (times === 0) expect(detail, what).toContain('is missing');
      else if (times > 1) expect(detail, what).toContain('got it 2 times');
      else if (sent.length > (schema.maxLength ?? Number.POSITIVE_INFINITY))
        expect(detail, what).toContain(`at most ${schema.maxLength} characters; got ${sent.length}`);
      else if (sent.length < (schema.minLength ?? 0) && sent !== '')
        expect(detail, what).toContain(`at least ${schema.minLength} characters; got ${sent.length}`);
      else {
        expect(detail, what).toContain(`got ${JSON.stringify(sent.split(',').at(-1))}`);
        if (!(name in WRONG)) for (const words of allowed(parameter)) expect(detail, what).toContain(words);
      }
    }
  });

  test('of a game that does not exist names the games', async () => {
    const { status, json } = await api.get('/v1/sets/poker/base');
    expect([status, json.error]).toEqual([404, 'unknown_game']);
    expect(json.detail).toBe(
      'game must be one of pokemon, one-piece, sports, lorcana, digimon, riftbound, mtg, yugioh, gundam; got "poker".',
    );
  });

  test('is quoted in its first 40 characters', async () => {
    const { json } = await api.get(`/v1/trades/recent?limit=${'9'.repeat(500)}`);
    expect(json.detail).toBe(`limit must be a whole number from 1 to 50; got "${'9'.repeat(40)}…".`);
  });
});

describe('a parameter that nobody declared', () => {
  test('is ignored on every route', async () => {
    for (const [path, operations] of Object.entries(paths)) {
      for (const method of Object.keys(operations) as ('get' | 'post')[]) {
        const one = { name: 'utm_source', in: 'query', required: false, description: '', schema: {} } as Parameter;
        const plain = await answerTo({
          method: method.toUpperCase() as 'GET',
          path,
          parameter: one,
          sent: '',
          times: 0,
        });
        const more = await answerTo({
          method: method.toUpperCase() as 'GET',
          path,
          parameter: one,
          sent: 'x[]',
          times: 2,
        });
        expect(more.statusCode, path).toBe(plain.statusCode);
        if (plain.statusCode >= 400) expect(more.json().detail, path).toBe(plain.json().detail);
        else if (method === 'get' && !/health|stream|usage/.test(path)) expect(more.body, path).toBe(plain.body);
      }
    }
  });
});

describe('a field of a body that does not fit', () => {
  const wrong: [path: string, body: object, detail: string][] = [
    [
      '/v1/report',
      { message: 'x', category: 'nope' },
      'category must be one of wrong_price, wrong_card, broken_link, stale, other; got "nope".',
    ],
    ['/v1/report', {}, 'message is missing; it must be what is wrong: plain text with at most 3 web addresses.'],
    ['/v1/report', { message: 'x'.repeat(2001) }, 'message must have at most 2000 characters; got 2001.'],
    ['/v1/report', { message: 7 }, 'message must be what is wrong: plain text with at most 3 web addresses; got 7.'],
    [
      '/v1/report',
      { message: 'x', contactEmail: 'nobody' },
      'contactEmail must be an e-mail address in ASCII, such as name@shop.example; got "nobody".',
    ],
    ['/v1/report', { message: 'x', huh: 1 }, 'huh is not a field of this form.'],
    ['/v1/report', [], 'the body must be a JSON object.'],
    [
      '/v1/search/by-embedding',
      { embedding: [1] },
      'embedding must be 512 numbers of length 1 (within a thousandth), from mobileclip-s2; see /v1/search/embedding-model; got 1.',
    ],
    [
      '/v1/search/by-embedding',
      { embedding: [...Array(511).fill(0), 'x'] },
      'embedding must be 512 numbers of length 1 (within a thousandth), from mobileclip-s2; see /v1/search/embedding-model; got "x" in it.',
    ],
    [
      '/v1/search/by-embedding',
      { embedding: [1, ...Array(511).fill(0)], limit: 51 },
      'limit must be a whole number from 1 to 50; got 51.',
    ],
  ];

  test.each(wrong)('of %s is answered in the words of its schema', async (path, body, detail) => {
    expect((await api.post(path, body)).json.detail).toBe(detail);
  });
});
