import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type Calls, ROUTES } from '../../packages/client/src/api.ts';
import { clientApi, formatted } from '../../scripts/client-api.mjs';
import { freePort, type Program, runProgram, startProgram } from '../support/program.ts';

const EXAMPLES = resolve('packages/client/examples');
/** What the demo cannot answer: it has no encoder, and no close has made its files yet. */
const PROBLEMS: Record<string, string> = {
  bulk: 'not_found',
  bulkFile: 'not_found',
  embeddingModel: 'not_found',
  searchByEmbedding: 'unavailable',
};

/** These search the pictures of the demo, which it describes after its start. */
const BY_PICTURE = ['searchByImage', 'searchByImages'];
const DESCRIBED = /^photos can be searched$/m;
const DESCRIBED_MS = 240_000;

let base: string;
let demo: Program;
const printed: unknown[][] = [];

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'mintmark-test-'));
  const port = await freePort();
  const env = { MINTMARK_DATA: base, PORT: String(port), LIMITS: 'off' };
  demo = startProgram(['demo'], env);
  await vi.waitFor(() => expect(demo.output()).toContain('Try:'), { timeout: 120_000, interval: 100 });
  const origin = `http://127.0.0.1:${port}`;
  await vi.waitFor(async () => expect((await fetch(`${origin}/ready`)).status).toBe(200), {
    timeout: 60_000,
    interval: 500,
  });
  const found = await (await fetch(`${origin}/v1/search?q=charizard&limit=1`)).json();
  const ids = join(base, 'ids.csv');
  writeFileSync(ids, `item,upstream_id\n${found.results[0].id},shelf-12\n`);
  expect(await runProgram(['import', 'upstream', ids], { MINTMARK_DATA: join(base, 'demo') })).toMatchObject({
    code: 0,
  });
  vi.stubEnv('MINTMARK_URL', origin);
  vi.spyOn(console, 'log').mockImplementation((...values) => void printed.push(values));
}, 240_000);
afterEach(() => void printed.splice(0));
afterAll(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  demo.kill('SIGTERM');
  await demo.ended;
  rmSync(base, { recursive: true });
});

test('the types and routes of the client are those of the OpenAPI document (scripts/client-api.mjs writes them)', () => {
  const document = JSON.parse(readFileSync('test/contract/openapi.json', 'utf8'));
  expect(readFileSync('packages/client/src/api.ts', 'utf8')).toBe(formatted(clientApi(document)));
});

test('every route has an example, and every example a route', () => {
  const files = readdirSync(EXAMPLES).filter((name) => name.endsWith('.ts'));
  expect(files.sort()).toEqual(Object.keys(ROUTES).map(fileOf).sort());
});

test.each(Object.keys(ROUTES) as (keyof Calls)[])(
  'the example of %s calls it, and prints its answer',
  { timeout: DESCRIBED_MS },
  async (id) => {
    const file = join(EXAMPLES, fileOf(id));
    expect(readFileSync(file, 'utf8')).toMatch(new RegExp(`mintmark\\.${id}\\b`));
    if (BY_PICTURE.includes(id))
      await vi.waitFor(() => expect(demo.output()).toMatch(DESCRIBED), {
        timeout: DESCRIBED_MS,
        interval: 500,
      });
    await import(file);
    expect(printed.length).toBeGreaterThan(0);
    if (id in PROBLEMS) expect(printed[0]).toEqual([PROBLEMS[id], expect.any(String)]);
    else expect(printed.flat()).not.toContain(undefined);
  },
);

function fileOf(id: string): string {
  return `${id.replace(/(?<=[a-z0-9])([A-Z])/g, '-$1').toLowerCase()}.ts`;
}
