import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll } from 'vitest';
import { scratchFolder } from '../scratch.ts';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that goes when the tests of the file have ended. */
export function folderOfRun(): string {
  const folder = scratchFolder(tmpdir());
  folders.push(folder);
  return folder;
}
