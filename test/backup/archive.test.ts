import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { type ArchiveWriter, contentOf, readArchive, writeArchive } from '../../src/backup/archive.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

async function archiveOf(fill: (archive: ArchiveWriter) => Promise<void>): Promise<Buffer> {
  const to = new PassThrough();
  const [bytes, written] = await Promise.all([buffer(to), writeArchive(to, fill)]);
  expect(written).toBe(bytes.length);
  return bytes;
}

async function membersOf(archive: AsyncIterable<Uint8Array>): Promise<[string, string][]> {
  const members: [string, string][] = [];
  for await (const member of readArchive(archive))
    members.push([member.name, (await contentOf(member, 1e9)).toString('latin1')]);
  return members;
}

/** In pieces of `size` bytes. */
function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const FILL = async (archive: ArchiveWriter) => {
  await archive.add('about.json', Buffer.from('{}'));
  await archive.add('empty', Buffer.alloc(0));
  await archive.addStream('streamed', 700, Readable.from([Buffer.alloc(300, 'a'), Buffer.alloc(400, 'b')]));
  await archive.add('data/images/ab/a-long-name-of-a-picture.webp', Buffer.alloc(512, 'c'));
};
const MEMBERS = [
  ['about.json', '{}'],
  ['empty', ''],
  ['streamed', 'a'.repeat(300) + 'b'.repeat(400)],
  ['data/images/ab/a-long-name-of-a-picture.webp', 'c'.repeat(512)],
];

describe('a backup as a file', () => {
  test('has its members in order, in whatever pieces it arrives', async () => {
    const bytes = await archiveOf(FILL);
    for (const size of [1, 511, 512, 1000, bytes.length])
      expect(await membersOf(Readable.from(cut(bytes, size))), `${size}`).toEqual(MEMBERS);
  });

  test('is a tar file that other programs read, with the checksum of all before it', async () => {
    const path = join(folderOfRun(), 'backup.tar');
    const bytes = await archiveOf(FILL);
    writeFileSync(path, bytes);
    const listed = spawnSync('tar', ['-tvf', path], { encoding: 'utf8' });
    expect([listed.status, listed.stderr]).toEqual([0, '']);
    expect(listed.stdout.split('\n').map((line) => line.split(/\s+/).at(-1))).toEqual([
      ...MEMBERS.map(([name]) => name),
      'sha256',
      '',
    ]);
    expect(listed.stdout.split('\n').every((line) => line === '' || line.startsWith('-rw-------'))).toBe(true);
    const sum = spawnSync('sh', ['-c', `head -c -2048 "$0" | sha256sum`, path], { encoding: 'utf8' }).stdout.slice(
      0,
      64,
    );
    expect(spawnSync('tar', ['-xOf', path, 'sha256'], { encoding: 'utf8' }).stdout).toBe(`${sum}\n`);
  });

  test('of which a byte differs cannot be used', async () => {
    const bytes = await archiveOf(FILL);
    const unnoticed: number[] = [];
    // Of the seal every byte, of all before it every fifth.
    for (let at = 0; at < bytes.length; at += at < bytes.length - 2048 ? 5 : 1) {
      const flipped = Buffer.from(bytes);
      flipped[at]! ^= 1 << (at % 8);
      const outcome = await membersOf(Readable.from(cut(flipped, 4096))).then(
        () => 'read',
        (error: Error) => error.name,
      );
      if (outcome === 'read') unnoticed.push(at - bytes.length);
      else expect(outcome, `byte ${at}`).toBe('UnusableBackup');
    }
    // But for the header of the seal itself, behind its name, which says nothing.
    expect(unnoticed.filter((at) => at < -2048 + 7 || at >= -1536)).toEqual([]);
  });

  test('that was cut off anywhere, or goes on, cannot be used', async () => {
    const bytes = await archiveOf(FILL);
    for (let length = 0; length < bytes.length; length += 100)
      await expect(membersOf(Readable.from(cut(bytes.subarray(0, length), 4096))), `${length}`).rejects.toThrow(
        /^This backup cannot be used: it is /,
      );
    await expect(membersOf(Readable.from([bytes, Buffer.from('more')]))).rejects.toThrow('This backup cannot be used');
    await expect(membersOf(Readable.from([bytes, Buffer.alloc(2048)]))).rejects.toThrow(
      'its checksum is not at its end',
    );
    await expect(membersOf(Readable.from([bytes, bytes]))).rejects.toThrow('This backup cannot be used');
  });

  test('of another kind of file cannot be used', async () => {
    for (const bytes of [Buffer.alloc(10_000), Buffer.alloc(10_000, 'text '), Buffer.from('x')])
      await expect(membersOf(Readable.from([bytes]))).rejects.toThrow('This backup cannot be used');
  });

  test('a member larger than what is read into memory is rejected before it is read', async () => {
    const bytes = await archiveOf((archive) => archive.add('large', Buffer.alloc(5000)));
    for await (const member of readArchive(Readable.from([bytes])))
      await expect(contentOf(member, 4999)).rejects.toThrow('large has 5000 bytes, and 4999 are allowed');
  });
});

describe('writing a backup', () => {
  const FAULT = Object.assign(new Error('no room'), { code: 'ENOSPC' });
  /** A disk that takes so many bytes. */
  const disk = (room: number) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        room -= chunk.length;
        done(room < 0 ? FAULT : null);
      },
    });
  const endless = async (archive: ArchiveWriter) => {
    for (let i = 0; ; i++) await archive.add(`${i}`, Buffer.alloc(100_000));
  };

  test('ends with the fault of its stream', async () => {
    await expect(writeArchive(disk(1e6), endless)).rejects.toBe(FAULT);
    await expect(writeArchive(disk(10), FILL)).rejects.toBe(FAULT);
    // Also where it comes last, when the seal is written.
    const size = (await archiveOf(FILL)).length;
    await expect(writeArchive(disk(size - 1), FILL)).rejects.toBe(FAULT);
    expect(await writeArchive(disk(size), FILL)).toBe(size);
  });

  test('ends with the fault of what it is filled with, and destroys its stream', async () => {
    const to = disk(1e9);
    const fault = new Error('the database is gone');
    const fill = async (archive: ArchiveWriter) => {
      await archive.add('a', Buffer.alloc(10));
      throw fault;
    };
    await expect(writeArchive(to, fill)).rejects.toBe(fault);
    expect(to.destroyed).toBe(true);
    await expect(
      writeArchive(disk(1e9), (archive) => archive.addStream('short', 10, Readable.from([Buffer.alloc(9)]))),
    ).rejects.toThrow('Size mismatch');
  });

  test('ends when it is aborted, although nobody takes its bytes', async () => {
    const stalled = new Writable({ write() {} });
    const stopping = new AbortController();
    const writing = writeArchive(stalled, endless, { signal: stopping.signal });
    setTimeout(() => stopping.abort(), 50);
    await expect(writing).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('leaves a stream open where it is asked to', async () => {
    const to = disk(1e9);
    await writeArchive(to, FILL, { end: false });
    expect(to.writableEnded).toBe(false);
  });
});
