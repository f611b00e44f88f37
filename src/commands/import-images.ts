import { readCsv } from '../catalog/formats/csv.ts';
import { UnreadableFile } from '../catalog/formats/files.ts';
import type { Game } from '../catalog/games.ts';
import { type ImageMapping, importImages } from '../vision/pictures/import-images.ts';
import { endImport } from './import-outcome.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress, showProblems } from './progress.ts';
import { CommandError, withWorld } from './world.ts';

/** `mintmark import images <folder> [--map <csv>] [--game <game>]` */
export async function importImagesCommand(
  folder: string,
  { map, game, ...options }: JsonOption & { map?: string; game?: Game },
): Promise<void> {
  const mapping = map === undefined ? undefined : await readMapping(map);
  await withWorld(async ({ db, config }) => {
    const progress = openProgress('file');
    const done = await importImages(db, {
      folder,
      dataDir: config.dataDir,
      mapping,
      game,
      onProgress: (files, total) => progress.update('card images', files, total),
    });
    progress.end();
    const { files, imported, unchanged, items, problems } = done;
    showProblems(problems.map(({ file, message }) => `${file}: ${message}`));
    report(options, done, () => [
      `files ${files} = imported ${imported} + unchanged ${unchanged} + rejected ${problems.length}`,
      `items with these images ${items}`,
    ]);
    if (files === 0) throw new CommandError(`${folder} has no JPEG, PNG, WebP or AVIF file`);
    endImport({ unit: 'files', total: files, used: files - problems.length, rejected: problems.length });
  });
}

async function readMapping(path: string): Promise<ImageMapping[]> {
  const mapping: ImageMapping[] = [];
  for await (const { line, fields, problem } of readCsv(path, ['file', 'item'], ['file', 'item'])) {
    if (problem !== null) throw new UnreadableFile(`${path}: line ${line}: ${problem}`);
    const { file, item } = fields;
    if (file === undefined || item === undefined)
      throw new UnreadableFile(`${path}: line ${line}: a row is "file,item"`);
    mapping.push({ file, item });
  }
  return mapping;
}
