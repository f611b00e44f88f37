import { basename } from 'node:path';
import { importTags, type TagImportReport } from '../catalog/tags/import-tags.ts';
import { deriveTags, type TagReport } from '../catalog/tags/write-tags.ts';
import type { Db } from '../db/client.ts';
import { counted } from '../lib/counted.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress, watchImport } from './progress.ts';
import { readTagFile, zeroShotRows } from './tag-files.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark import tags <file>`; with `--zero-shot`, of text vectors and item vectors. */
export async function importTagsCommand(
  paths: string[],
  { zeroShot = false, ...options }: JsonOption & { zeroShot?: boolean },
): Promise<void> {
  const [first, second] = paths;
  if (paths.length !== (zeroShot ? 2 : 1))
    throw new CommandError(zeroShot ? 'give the text vectors, then the item vectors' : 'give one file', EXIT.usage);
  const path = second ?? first!;
  const entries = zeroShot ? zeroShotRows(first!, path) : readTagFile(path);
  await withWorld(async ({ db }) => {
    const watch = await watchImport([path], 'row');
    const done = await importTags(db, entries, {
      origin: zeroShot ? 'vectors' : basename(path),
      onProgress: watch.update,
      onProblem: ({ line, message }) => watch.problem(`${path}:${line}: ${message}`),
    });
    watch.end();
    report(options, done, () => tagImportLines(done));
    endImport({ total: done.rows, used: done.rows - done.rejected, rejected: done.rejected });
  });
}

/** `mintmark tags derive` */
export async function deriveTagsCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const tags = await deriveWatched(db, { all: true });
    report(options, tags, () => [tagLine(tags)]);
  });
}

/** Derives the tags of what changed (or of all) with progress on the terminal. */
export async function deriveWatched(db: Db, { all }: { all: boolean }): Promise<TagReport> {
  const progress = openProgress('item');
  const tags = await deriveTags(db, { all, onProgress: (items, total) => progress.update('tags', items, total) });
  progress.end();
  return tags;
}

function tagImportLines({
  rows,
  linked,
  repeated,
  declared,
  rejected,
  newTags,
  changedTags,
}: TagImportReport): string[] {
  return [
    `rows ${rows} = linked ${linked} + repeated ${repeated} + without an item ${declared} + rejected ${rejected}`,
    `tags: new ${newTags}, changed ${changedTags}`,
  ];
}

/** What a derivation of tags did. */
export function tagLine({ items, newTags, added, removed }: TagReport): string {
  return `tags of ${counted(items, 'item')}: links added ${added}, removed ${removed}; new tags ${newTags}`;
}
