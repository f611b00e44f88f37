import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PACKAGES = resolve('test/clients/node_modules');
const DOCUMENT = resolve('test/contract/openapi.json');
/** Three programs and a compiler, on a machine that may be busy. */
const TIMEOUT_MS = 180_000;

const isInstalled = existsSync(PACKAGES);
if (!isInstalled) console.warn('Clients are not generated: npm ci --prefix test/clients installs what it takes.');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-clients-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder, timeout: TIMEOUT_MS });
const text = (name: string) => readFileSync(join(folder, name), 'utf8');

/** Programs that use what each generator makes: a route with a whole number, an enum, a file. */
const PROGRAMS = {
  'openapi-typescript': `import type { paths } from './schema.ts';
    type Trades = paths['/v1/items/{game}/{set}/{item}/trades']['get'];
    export const query: NonNullable<Trades['parameters']['query']> = { limit: 50, window: 'all', scope: 'grade' };
    type Answer = Trades['responses'][200]['content']['application/json'];
    export const used = (answer: Answer) => answer.trades.filter(({ disposition }) => disposition === 'used');
    type Card = paths['/v1/items/{game}/{set}/{item}']['get']['responses'][200]['content']['application/json'];
    export const width = ({ nextSaleRangeUsdCents: next, unconfirmedMove }: Card): number =>
      next === null || unconfirmedMove ? Number.NaN : next.high - next.low;
    // @ts-expect-error a limit is a number
    export const wrong: typeof query = { limit: '50' };`,
  'hey-api': `import { searchByImage, tags } from './hey-api/index.ts';
    export const find = (file: Blob) => searchByImage({ body: { file }, query: { limit: 10, game: 'mtg' } });
    export const choices = () => tags({ query: { kind: 'mood', limit: 5 } });
    // @ts-expect-error there is no such game
    export const wrong = () => searchByImage({ body: { file: new Blob() }, query: { game: 'chess' } });`,
  orval: `import { gradedByImage, recentTrades } from './orval.ts';
    export const read = (file: Blob) => gradedByImage({ file });
    export const newest = () => recentTrades({ limit: 12 });
    // @ts-expect-error a photo is a file
    export const wrong = () => gradedByImage({ file: 1 });`,
};

describe.skipIf(!isInstalled)('clients made of the OpenAPI document', () => {
  test('compile under strict, with the types that the routes have', { timeout: TIMEOUT_MS }, async () => {
    await Promise.all([
      run(join(PACKAGES, 'openapi-typescript/bin/cli.js'), DOCUMENT, '-o', join(folder, 'schema.ts')),
      run(
        join(PACKAGES, '@hey-api/openapi-ts/bin/run.js'),
        ...['-i', DOCUMENT, '-o', join(folder, 'hey-api'), '-c', '@hey-api/client-fetch'],
      ),
      run(
        join(PACKAGES, 'orval/dist/bin/orval.js'),
        ...['--input', DOCUMENT, '--output', join(folder, 'orval.ts'), '--client', 'fetch'],
      ),
    ]);
    for (const [name, program] of Object.entries(PROGRAMS)) writeFileSync(join(folder, `uses-${name}.ts`), program);
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      allowImportingTsExtensions: true,
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
    const { stdout } = await run(resolve('node_modules/typescript/bin/tsc'), '-p', folder).catch((error) => error);
    expect(stdout).toBe('');
    expect(text('schema.ts')).toContain('"/v1/graded/{cert}"');
    // Every operation is a function of the other two.
    const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as {
      paths: Record<string, Record<string, Operation>>;
    };
    const names = Object.values(paths).flatMap((one) => Object.values(one).map(({ operationId }) => operationId));
    for (const client of [text('hey-api/sdk.gen.ts'), text('orval.ts')])
      expect(names.filter((name) => !new RegExp(`export const ${name}\\b`, 'i').test(client))).toEqual([]);
  });
});

type Operation = { operationId: string };
