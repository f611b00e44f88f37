import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Grader, GraderAnswer } from '../../../src/graded/graders/grader.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database/database.ts';
import { type PsaCert, type PsaServer, psaServer } from '../../support/servers/grader-server.ts';
import type { Reply } from '../../support/servers/market-server.ts';
import { ask, gradersOf, SECRET } from './world.ts';

const CHARIZARD: PsaCert = {
  CertNumber: '12345678',
  Year: '1999',
  Brand: 'POKEMON GAME',
  Category: 'TCG Cards',
  CardNumber: '4',
  Subject: 'CHARIZARD-HOLO',
  Variety: '1ST EDITION',
  CardGrade: 'GEM MT 10',
  GradeDescription: 'GEM MT 10',
  SpecID: 544028,
  TotalPopulation: 121,
  PopulationHigher: 0,
};
const certs: PsaCert[] = [
  CHARIZARD,
  { ...CHARIZARD, CertNumber: '0022222222', Year: '2003-04', CardGrade: '9', GradeDescription: 'MINT' },
  { ...CHARIZARD, CertNumber: '33333333', IsDualCert: true, AutographGrade: '9' },
  { ...CHARIZARD, CertNumber: '44444444', ItemStatus: 'Deactivated - 05/2024' },
  { ...CHARIZARD, CertNumber: '55555555', CardGrade: 'N0: AUTHENTIC', GradeDescription: 'N0: AUTHENTIC' },
];
const images = {
  '12345678': [
    { IsFrontImage: false, ImageURL: 'https://pictures.example/back.jpg' },
    { IsFrontImage: true, ImageURL: 'https://pictures.example/front.jpg' },
  ],
};

let database: FreshDatabase;
let server: PsaServer;

beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  server = await psaServer({ token: SECRET, certs, images });
  return () => server.close();
});

function psa(more: object = {}): Grader {
  const entry = { kind: 'psa', name: 'PSA', token: { env: 'TOKEN' }, url: `${server.origin}/publicapi/`, ...more };
  return gradersOf(database.db, [entry]).graderFor('PSA')!;
}

function recordOf(answer: GraderAnswer) {
  if (answer.kind !== 'found') throw new Error(JSON.stringify(answer));
  return answer.record;
}

describe('a cert that PSA knows', () => {
  test('is returned with its label, its grade as written and its pictures', async () => {
    const grader = psa({ id: 'psa-itself' });
    expect(recordOf(await ask(grader, '12345678'))).toEqual({
      company: 'PSA',
      gradeText: 'GEM MT 10',
      label: {
        year: 1999,
        setText: 'POKEMON GAME',
        cardNumber: '4',
        subject: 'CHARIZARD-HOLO',
        variety: '1ST EDITION',
        language: null,
        text: '1999 POKEMON GAME #4 CHARIZARD-HOLO 1ST EDITION',
      },
      isDeactivated: false,
      images: { front: 'https://pictures.example/front.jpg', back: 'https://pictures.example/back.jpg' },
      graderId: 'psa-itself',
      specId: '544028',
      population: { atGrade: 121, higher: 0 },
    });
    expect(server.paths()).toEqual([
      '/publicapi/cert/GetByCertNumber/12345678',
      '/publicapi/cert/GetImagesByCertNumber/12345678',
    ]);
  });

  test('is the same with and without leading zeros', async () => {
    server.next({ body: { IsValidRequest: true, PSACert: certs[1] } });
    expect(recordOf(await ask(psa(), '22222222')).label.year).toBe(2003);
  });

  test('has its grade in words and number, in either of the two fields', async () => {
    expect(recordOf(await ask(psa(), '0022222222')).gradeText).toBe('MINT 9');
    expect(recordOf(await ask(psa(), '55555555')).gradeText).toBe('N0: AUTHENTIC');
  });

  test('of a signed card says so in its grade, and has no count of plain ones', async () => {
    expect(recordOf(await ask(psa(), '33333333'))).toMatchObject({
      gradeText: 'GEM MT 10 AUTO 9',
      specId: '544028',
      population: null,
    });
  });

  test.each([
    ['nothing', {}],
    ['text', { SpecID: '544028', TotalPopulation: '121', PopulationHigher: '0' }],
    ['no slab at all', { SpecID: 0, TotalPopulation: 0, PopulationHigher: 0 }],
    ['fractions and debts', { SpecID: -1, TotalPopulation: 1.5, PopulationHigher: 0 }],
  ])('has no population and no number of its card where PSA sends %s', async (_name, counts) => {
    const { SpecID: _1, TotalPopulation: _2, PopulationHigher: _3, ...cert } = CHARIZARD;
    server.next({ body: { IsValidRequest: true, PSACert: { ...cert, ...counts } } });
    expect(recordOf(await ask(psa(), '12345678'))).toMatchObject({ specId: null, population: null });
  });

  test('of a signature alone is not a card', async () => {
    const DNACert = { CertNumber: '66666666', ItemDescription: 'SIGNED BASEBALL', AuthenticationResult: 'Authentic' };
    server.next({ body: { IsValidRequest: true, ServerMessage: 'Request successful', PSACert: null, DNACert } });
    const { gradeText, label } = recordOf(await ask(psa(), '66666666'));
    expect(gradeText).toBe('AUTO Authentic');
    expect(label).toMatchObject({ subject: 'SIGNED BASEBALL', setText: '', cardNumber: null });
  });

  test('that was deactivated is returned as such', async () => {
    expect(recordOf(await ask(psa(), '44444444')).isDeactivated).toBe(true);
  });
});

describe('pictures', () => {
  test('that there are none of are not a fault', async () => {
    expect(recordOf(await ask(psa(), '44444444')).images).toBeNull();
  });

  test.each<[string, Reply]>([
    ['a fault', { status: 503 }],
    ['garbage', { body: '<html>' }],
    ['another shape', { body: { IsFrontImage: true } }],
    ['what is not an address', { body: [{ IsFrontImage: true, ImageURL: 'javascript:alert(1)' }, null, 7] }],
    ['a hang', null],
  ])('cost the cert nothing when they answer with %s', async (_name, reply) => {
    server.next({ body: { IsValidRequest: true, PSACert: CHARIZARD } }, reply);
    expect(recordOf(await ask(psa({ tryTimeoutMs: 200 }), '12345678')).images).toBeNull();
  });

  test('are not requested when the budget of the day is low', async () => {
    const grader = psa({ budgetPerDay: 10 });
    for (let n = 0; n < 5; n++) await ask(grader, '12345678');
    // Units 1 to 7 of 10 may be pictures; the others are kept for certs.
    expect(server.paths().filter((path) => path.includes('GetImages'))).toHaveLength(3);
    expect(server.received).toHaveLength(8);
  });
});

describe('a cert that PSA does not know', () => {
  test('is unknown, and its pictures are not requested', async () => {
    expect(await ask(psa(), '99999999')).toEqual({ kind: 'unknown' });
    expect(server.received).toHaveLength(1);
  });

  test('of a form that no cert has is unknown too', async () => {
    expect(await ask(psa(), '12345')).toEqual({ kind: 'unknown' });
  });
});

describe('an answer without information', () => {
  test.each<[string, Reply, string, RegExp]>([
    ['500', { status: 500 }, 'server_error', /usually means wrong credentials/],
    ['503', { status: 503 }, 'server_error', /503/],
    ['401', { status: 401 }, 'unauthorized', /token/],
    ['403', { status: 403 }, 'unauthorized', /approved/],
    ['404', { status: 404 }, 'bad_answer', /address/],
    ['204', { status: 204 }, 'bad_answer', /204/],
    ['no JSON', { body: '<html>maintenance</html>' }, 'bad_answer', /JSON/],
    ['cut off JSON', { body: '{"PSACert": {"CertNumber"' }, 'bad_answer', /JSON/],
    ['a list', { body: [] }, 'bad_answer', /no cert/],
    ['an empty object', { body: {} }, 'bad_answer', /no cert/],
    ['null', { body: 'null' }, 'bad_answer', /JSON/],
    ['a rejected request', { body: { IsValidRequest: false, ServerMessage: 'Nope' } }, 'bad_answer', /invalid/],
    ['another cert', { body: { PSACert: { ...CHARIZARD, CertNumber: '12345679' } } }, 'bad_answer', /another cert/],
    ['no number', { body: { PSACert: { ...CHARIZARD, CertNumber: null } } }, 'bad_answer', /another cert/],
    ['no grade', { body: { PSACert: { CertNumber: '12345678', Subject: 'X' } } }, 'bad_answer', /grade/],
    ['no card', { body: { PSACert: { CertNumber: '12345678', CardGrade: '9' } } }, 'bad_answer', /no card/],
    ['a list as subject', { body: { PSACert: { ...CHARIZARD, Subject: ['X'] } } }, 'bad_answer', /Subject/],
    [
      'a subject as long as a book',
      { body: { PSACert: { ...CHARIZARD, Subject: 'x'.repeat(1e4) } } },
      'bad_answer',
      /Subject/,
    ],
    ['a huge body', { body: ' '.repeat(2 ** 20) }, 'too_large', /bytes/],
    ['a redirect elsewhere', { status: 302, headers: { location: 'http://127.0.0.2:9/' } }, 'refused', /configured/],
    ['a hang', null, 'timeout', /within/],
    ['a byte now and then', { body: ' '.repeat(9999), dripMs: 20 }, 'timeout', /within/],
  ])('is not an answer: %s', async (_name, reply, reason, message) => {
    server.next(reply);
    const answer = await ask(psa({ tryTimeoutMs: 200 }), '12345678');
    expect(answer).toMatchObject({ kind: 'unavailable', reason, message: expect.stringMatching(message) });
    expect(server.received, 'each call counts').toHaveLength(1);
  });

  test('of any JSON at all is read or rejected with a reason, and never means that there is no such cert', async () => {
    const grader = psa({ budgetPerDay: 10_000 });
    const value = fc.oneof(fc.jsonValue(), fc.string());
    const fields = ['Year', 'Brand', 'Subject', 'CardGrade', 'GradeDescription', 'IsDualCert', 'ItemStatus'];
    const cert = fc.dictionary(fc.constantFrom(...fields), value).map((some) => ({ CertNumber: '12345678', ...some }));
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.record({ PSACert: fc.oneof(cert, value) })), async (body) => {
        server.next({ body: JSON.stringify(body) });
        const answer = await ask(grader, '12345678');
        if (answer.kind === 'found') expect(answer.record.gradeText.trim()).not.toBe('');
        else expect(answer).toMatchObject({ kind: 'unavailable', reason: 'bad_answer' });
      }),
      { numRuns: 60 },
    );
  });

  test('of a wrong token says that credentials may be wrong', async () => {
    await server.close();
    server = await psaServer({ token: 'another', certs });
    expect(await ask(psa(), '12345678')).toMatchObject({
      kind: 'unavailable',
      reason: 'server_error',
      message:
        'PSA: It answered 500. PSA says that this usually means wrong credentials; it may be a fault of its servers too.',
    });
  });

  test('of too many calls says for how long, and everybody keeps to it', async () => {
    server.next({ status: 429, headers: { 'retry-after': '58173' } });
    const grader = psa();
    expect(await ask(grader, '12345678')).toMatchObject({ reason: 'rate_limited', retryAfterMs: 58_173_000 });
    expect(await ask(grader, '12345678')).toMatchObject({ reason: 'rate_limited', retryAfterMs: 58_173_000 });
    expect(server.received).toHaveLength(1);
  });

  test('of a server that has stopped', async () => {
    await server.close();
    expect(await ask(psa(), '12345678')).toMatchObject({ kind: 'unavailable', reason: 'unreachable' });
  });
});

test('a hundred calls a day are made unless the operator has more', async () => {
  const grader = psa();
  const answers = await Promise.all(Array.from({ length: 105 }, () => ask(grader, '99999999')));
  expect(answers.filter(({ kind }) => kind === 'unknown')).toHaveLength(100);
  expect(answers.find(({ kind }) => kind === 'unavailable')).toMatchObject({
    reason: 'budget_spent',
    retryAfterMs: 12 * 3_600_000,
  });
});

test('a caller that gives up is answered at once', async () => {
  const given = new AbortController();
  server.usual(() => {
    given.abort();
    return null;
  });
  expect(await ask(psa(), '12345678', given.signal)).toMatchObject({ kind: 'unavailable', reason: 'timeout' });
});

describe('the token', () => {
  const written: string[] = [];
  beforeEach(() => {
    for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const)
      vi.spyOn(console, method).mockImplementation((...words) => void written.push(words.join(' ')));
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  });
  afterEach(() => void vi.restoreAllMocks());

  test('is in no message and no output, whatever the answer', async () => {
    const replies: Reply[] = [
      { status: 401, body: SECRET },
      { status: 500, body: SECRET },
      { body: { IsValidRequest: false, ServerMessage: SECRET } },
      { body: SECRET },
      { status: 302, headers: { location: `/?${SECRET}@` } },
    ];
    for (const reply of replies) {
      server.next(reply);
      written.push(JSON.stringify(await ask(psa(), '12345678')));
    }
    expect(written.length).toBeGreaterThanOrEqual(replies.length);
    expect(written.join('\n')).not.toContain(SECRET);
  });

  test('that is not valid in a header is rejected by its place, not by its text', () => {
    expect(() => psa({ token: { env: 'BROKEN' } })).toThrow(
      /^connections\.json:1: \/graders\/0\/token holds what no header can$/,
    );
  });
});
