import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/lib/config-error.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { type MarketServer, marketServer, type Reply } from '../../support/servers/market-server.ts';
import { ask, gradersOf, SECRET } from './world.ts';

const SLAB = {
  slab: { no: '0001234567', grade: '9.5 Gem Mint', state: 'ok', year: 2016 },
  card: { name: 'Charizard', set: 'Evolutions', number: 11, finish: ' Reverse  Holo ', 'lang/uage': 'English' },
  scans: [{ url: 'https://scans.example/f.jpg' }, { url: '/b.jpg' }],
};
const fields = {
  certNumber: '/slab/no',
  grade: '/slab/grade',
  year: '/slab/year',
  subject: '/card/name',
  set: '/card/set',
  cardNumber: '/card/number',
  variety: '/card/finish',
  language: '/card/lang~1uage',
  imageFront: '/scans/0/url',
  imageBack: '/scans/1/url',
};

let database: FreshDatabase;
let server: MarketServer;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  server = await marketServer(() => ({ body: SLAB }));
  return () => server.close();
});

function entry(more: object = {}): object {
  const url = `${server.origin}/slabs/{company}/{cert}?all=1`;
  return { kind: 'http-json', name: 'Registry', companies: ['CGC', 'BGS'], url, fields, ...more };
}

const open = (more: object = {}) => gradersOf(database.db, [entry(more)]);
const cgc = (more: object = {}) => open(more).graderFor('CGC');

describe('a registry of the operator', () => {
  test('reads a slab from the mapped fields', async () => {
    expect(await ask(cgc({ id: 'own' }), '1234567')).toEqual({
      kind: 'found',
      record: {
        company: 'CGC',
        gradeText: '9.5 Gem Mint',
        label: {
          year: 2016,
          setText: 'Evolutions',
          cardNumber: '11',
          subject: 'Charizard',
          variety: 'Reverse Holo',
          language: 'English',
          text: '2016 Evolutions #11 Charizard Reverse Holo English',
        },
        isDeactivated: false,
        images: { front: 'https://scans.example/f.jpg', back: null },
        graderId: 'own',
        specId: null,
        population: null,
      },
    });
  });

  test('is queried for each of its companies, with its headers and secrets', async () => {
    const authorization = { env: 'TOKEN', prefix: 'Bearer ' };
    const graders = open({ headers: { 'x-api-key': { env: 'TOKEN' }, authorization, 'accept-language': 'en' } });
    await ask(graders.graderFor('BGS'), '0007654321');
    expect(server.received[0]).toMatchObject({
      method: 'GET',
      path: '/slabs/BGS/0007654321',
      headers: {
        'x-api-key': SECRET,
        authorization: `Bearer ${SECRET}`,
        'accept-language': 'en',
        accept: 'application/json',
      },
    });
    expect(graders.graderFor('PSA')).toBeNull();
    expect(graders.all.map(({ company }) => company)).toEqual(['CGC', 'BGS']);
  });

  test('cannot be made to call another path by a number', async () => {
    await ask(cgc(), '../../etc?x#y');
    expect(server.received[0]!.path).toBe('/slabs/CGC/..%2F..%2Fetc%3Fx%23y');
  });

  test('may give the label as a whole', async () => {
    const answer = await ask(cgc({ fields: { ...fields, text: '/card/set' } }), '1234567');
    expect(answer).toMatchObject({ record: { label: { text: 'Evolutions' } } });
  });

  test('may leave out all but grade and subject', async () => {
    server.next({ body: { ...SLAB, card: { name: 'Charizard' }, scans: null } });
    const answer = await ask(
      cgc({ fields: { grade: '/slab/grade', subject: '/card/name', set: '/card/set' } }),
      '99999',
    );
    expect(answer).toMatchObject({
      kind: 'found',
      record: { images: null, label: { year: null, setText: '', cardNumber: null, variety: null, language: null } },
    });
  });

  test.each<[string, object, Reply]>([
    ['404', {}, { status: 404, body: 'no' }],
    ['a status of its own', { unknownStatus: [204, 410] }, { status: 410 }],
    ['nothing at a place', { unknownWhen: { path: '/slab' } }, { body: { slab: null } }],
    ['an empty list', { unknownWhen: { path: '/0' } }, { body: [] }],
    ['a value at a place', { unknownWhen: { path: '/ok', equals: [false, 'no'] } }, { body: { ok: false } }],
  ])('says by %s that there is no such cert', async (_name, more, reply) => {
    server.next(reply);
    expect(await ask(cgc(more), '1234567')).toEqual({ kind: 'unknown' });
  });

  test('says by a value that a cert was deactivated', async () => {
    const deactivatedWhen = { path: '/slab/state', equals: ['void', true] };
    expect(await ask(cgc({ deactivatedWhen }), '1234567')).toMatchObject({ record: { isDeactivated: false } });
    server.next({ body: { ...SLAB, slab: { ...SLAB.slab, state: 'void' } } });
    expect(await ask(cgc({ deactivatedWhen }), '1234567')).toMatchObject({ record: { isDeactivated: true } });
  });
});

describe('an answer without information', () => {
  const slab = (more: object) => ({ body: { ...SLAB, slab: { ...SLAB.slab, ...more } } });
  test.each<[string, Reply, string, RegExp]>([
    ['400', { status: 400 }, 'bad_answer', /400/],
    ['401', { status: 401 }, 'unauthorized', /401/],
    ['403', { status: 403 }, 'unauthorized', /403/],
    ['429', { status: 429, headers: { 'retry-after': '90' } }, 'rate_limited', /429/],
    ['500', { status: 500 }, 'server_error', /500/],
    ['no JSON', { body: '<html>' }, 'bad_answer', /JSON/],
    ['nothing', { body: '' }, 'bad_answer', /JSON/],
    ['a number', { body: '7' }, 'bad_answer', /no grade at \/slab\/grade/],
    ['no grade', slab({ grade: ' ' }), 'bad_answer', /no grade at \/slab\/grade/],
    ['no subject', { body: { slab: SLAB.slab } }, 'bad_answer', /no subject at \/card\/name/],
    ['a list as grade', slab({ grade: ['10'] }), 'bad_answer', /\/slab\/grade \(grade\) is not text/],
    ['a flag as year', slab({ year: true }), 'bad_answer', /\/slab\/year \(year\) is not text/],
    ['another cert', slab({ no: '1234568' }), 'bad_answer', /another cert/],
    ['a huge body', { body: ' '.repeat(2 ** 20 + 1) }, 'too_large', /bytes/],
    ['a hang', null, 'timeout', /within/],
    ['a byte now and then', { body: ' '.repeat(9999), dripMs: 20 }, 'timeout', /within/],
  ])('is not an answer: %s', async (_name, reply, reason, message) => {
    server.next(reply);
    const answer = await ask(cgc({ tryTimeoutMs: 200, tries: 1 }), '1234567');
    expect(answer).toMatchObject({ kind: 'unavailable', reason, message: expect.stringMatching(message) });
  });

  test('of any JSON at all is read or rejected with a reason', async () => {
    const grader = cgc({
      tries: 1,
      deactivatedWhen: { path: '/slab/state', equals: [true] },
      unknownWhen: { path: '/0' },
    });
    const text = fc.oneof(fc.jsonValue(), fc.string());
    const slabs = fc.record({
      0: fc.constant(1),
      slab: fc.record({ no: text, grade: text, year: text }),
      card: fc.record({ name: text, set: text }),
    });
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), slabs), async (value) => {
        server.next({ body: JSON.stringify(value) });
        const answer = await ask(grader, '1234567');
        if (answer.kind === 'found') expect(answer.record.gradeText.trim()).not.toBe('');
        else if (answer.kind === 'unavailable') expect(answer.reason).toBe('bad_answer');
      }),
      { numRuns: 60 },
    );
  });

  test('is queried again when the fault may pass', async () => {
    server.next({ status: 503 });
    expect(await ask(cgc(), '1234567')).toMatchObject({ kind: 'found' });
  });

  test('names no secret', async () => {
    const headers = { authorization: { env: 'TOKEN' } };
    const answers: unknown[] = [];
    for (const reply of [{ status: 401, body: SECRET }, { body: SECRET }, { body: { slab: { grade: [SECRET] } } }]) {
      server.next(reply);
      answers.push(await ask(cgc({ headers }), '1234567'));
    }
    expect(JSON.stringify(answers)).not.toContain(SECRET);
  });
});

describe('several graders of a company', () => {
  const second = () => ({ ...entry(), id: `second-${server.origin.split(':').at(-1)}`, companies: ['CGC'] });
  const both = () => gradersOf(database.db, [entry({ tries: 1 }), second()]).graderFor('CGC');

  test('are queried in order until one knows the cert', async () => {
    expect(await ask(both(), '1234567')).toMatchObject({ kind: 'found' });
    expect(server.received).toHaveLength(1);
    server.next({ status: 404 });
    expect(await ask(both(), '1234567')).toMatchObject({ record: { graderId: expect.stringMatching(/^second/) } });
  });

  test('do not know a cert when all of them say so', async () => {
    server.next({ status: 404 }, { status: 404 });
    expect(await ask(both(), '1234567')).toEqual({ kind: 'unknown' });
    server.next({ status: 500 }, { status: 404 });
    expect(await ask(both(), '1234567')).toMatchObject({ kind: 'unavailable', reason: 'server_error' });
  });
});

describe('a mistake in the settings', () => {
  test.each<[string, object, RegExp]>([
    ['an unknown kind', { kind: 'cgc' }, /\/graders\/0\/kind is not one of psa, http-json/],
    ['a company that has no prices', { companies: ['SGC'] }, /\/graders\/0\/companies\/0 /],
    ['no company', { companies: [] }, /\/graders\/0\/companies /],
    ['an address without a place for the cert', { url: 'https://slabs.example/' }, /\/graders\/0\/url /],
    ['a cert in the host', { url: 'https://{cert}.example/' }, /not an http or https address/],
    ['no TLS', { private: false }, /without TLS/],
    ['a place that is not a pointer', { fields: { ...fields, grade: 'slab.grade' } }, /\/graders\/0\/fields\/grade /],
    ['no place of the grade', { fields: { subject: '/s' } }, /\/graders\/0\/fields lacks grade/],
    ['a field that is not known', { fields: { ...fields, population: '/p' } }, /\/fields\/population is not known/],
    ['a setting that is not known', { tocken: 1 }, /\/graders\/0\/tocken is not known/],
    [
      'a secret that is not set',
      { headers: { a: { env: 'NOWHERE' } } },
      /\/headers\/a the environment variable NOWHERE/,
    ],
    ['such a secret behind other words', { headers: { a: { env: 'NOWHERE', prefix: 'x ' } } }, /NOWHERE is not set/],
    ['a secret that no header can hold', { headers: { a: { env: 'BROKEN' } } }, /\/graders\/0\/headers\/a holds/],
  ])('is reported with its place: %s', (_name, more, message) => {
    expect(() => open(more)).toThrow(message);
    expect(() => open(more)).toThrow(ConfigError);
    expect(() => open(more)).not.toThrow(SECRET);
  });

  test('of several graders is reported with all others', () => {
    const open = () => gradersOf(database.db, [entry({ kind: 'cgc' }), entry(), entry({ companies: [] })]);
    expect(open).toThrow(/\/graders\/0\/kind .*\n.*\/graders\/2\/companies /);
  });
});
