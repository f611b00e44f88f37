import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';

let fresh: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  fresh = await freshDatabase();
  api = await testApp(fresh.db);
});

afterAll(async () => {
  await api.app.close();
  await fresh.close();
});

test('styles and scripts are named by their content, kept for good, and sent compressed to whom takes it', async () => {
  const { text } = await api.get('/about', { accept: 'text/html' });
  const addresses = [...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map((match) => match[1]!);
  expect(addresses.length).toBeGreaterThan(1);
  for (const address of addresses) {
    const get = (encoding?: string) =>
      api.app.inject({ url: address, headers: encoding ? { 'accept-encoding': encoding } : {} });
    const plain = await get();
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const [br, gzip] = [await get('gzip, br'), await get('gzip')];
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  }
});

test('an address of another build is a 404', async () => {
  expect((await api.get('/assets/site-000000000000.css')).status).toBe(404);
});

test('have the same addresses in every process, wherever it was started', async () => {
  const script = `import { openAssets } from '${new URL('../../src/web/assets.ts', import.meta.url)}';
    console.log([...(await openAssets()).files.keys()].sort().join());`;
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', script];
  const addressesFrom = async (cwd: string) => (await promisify(execFile)(process.execPath, args, { cwd })).stdout;
  const elsewhere = await addressesFrom(tmpdir());
  expect(elsewhere).toContain('/assets/chart-');
  expect(await addressesFrom(process.cwd())).toBe(elsewhere);
});
