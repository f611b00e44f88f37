import { counted } from '../lib/counted.ts';
import { updateCatalogVectors } from '../vision/catalog-vectors.ts';
import { addedModel, addModel, removeModel } from '../vision/encoder/models.ts';
import { UnusableModel } from '../vision/encoder/session.ts';
import { countVectors } from '../vision/vectors/stored-vectors.ts';
import { type JsonOption, report } from './output.ts';
import { openProgress, showProblems } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark models add <file>` */
export async function modelsAddCommand(path: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const added = await addModel(db, { dataDir: config.dataDir, path }).catch(inOneSentence(path));
    const { name, sha256, inputName, outputName, isKnown, dropped } = added;
    report(options, added, () => [
      `${name} ${isKnown ? 'was there already' : 'added'}: ${inputName} → ${outputName}, sha256 ${sha256}`,
      ...(dropped > 0 ? [`vectors of the former file dropped: ${dropped}`] : []),
      'a worker embeds the pictures of the catalog; `mintmark vectors` does it now',
    ]);
  });
}

/** `mintmark models list` */
export async function modelsListCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const [model, counts] = [await addedModel(db), await countVectors(db)];
    report(options, { model, vectors: Object.fromEntries(counts) }, () => [
      model === null
        ? 'no model was added'
        : `${model.name}  added ${model.addedAt.toISOString()}  sha256 ${model.sha256}`,
      ...[...counts].map(([name, vectors]) => `vectors of ${name}: ${vectors}`),
    ]);
  });
}

/** `mintmark models remove` */
export async function modelsRemoveCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    if (!(await removeModel(db, config))) throw new CommandError('no model was added');
    report(options, { removed: true }, () => ['removed; its vectors stay']);
  });
}

/** `mintmark vectors` */
export async function vectorsCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const progress = openProgress('picture');
    const how = { dataDir: config.dataDir, onProgress: progress.update };
    const reports = await updateCatalogVectors(db, how).catch(inOneSentence('the encoder'));
    progress.end();
    const unreadable = reports.flatMap((one) => one.report.unreadable);
    showProblems(unreadable.map(({ hash, message }) => `picture ${hash}: ${message}`));
    const counts = await countVectors(db);
    const models = reports.map((one) => ({ model: one.model, ...one.report, vectors: counts.get(one.model) ?? 0 }));
    report(options, { models }, () =>
      models.map(
        ({ model, made, copied, dropped, vectors }) =>
          `${model}: pictures ${made}, items with a known picture ${copied}, removed ${dropped}; vectors now ${vectors}`,
      ),
    );
    if (unreadable.length > 0)
      throw new CommandError(`${counted(unreadable.length, 'picture')} cannot be read: import again`, EXIT.incomplete);
  });
}

function inOneSentence(what: string): (error: Error) => never {
  return (error) => {
    throw error instanceof UnusableModel ? new CommandError(`${what}: ${error.message}`) : error;
  };
}
