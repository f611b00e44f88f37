import { updateCatalogVectors } from '../vision/catalog-vectors.ts';
import { addedModel, addModel, removeModel } from '../vision/encoder/models.ts';
import { UnusableModel } from '../vision/encoder/session.ts';
import { countVectors } from '../vision/vectors/stored-vectors.ts';
import { openProgress, showProblems } from './progress.ts';
import { CommandError, EXIT, withWorld } from './world.ts';

/** `mintmark models add <file>` */
export async function modelsAddCommand(path: string): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const added = await addModel(db, { dataDir: config.dataDir, path }).catch(inOneSentence(path));
    const { name, sha256, inputName, outputName, isKnown, dropped } = added;
    console.log(`${name} ${isKnown ? 'was there already' : 'added'}: ${inputName} → ${outputName}, sha256 ${sha256}`);
    if (dropped > 0) console.log(`vectors of the former file dropped: ${dropped}`);
    console.log('a worker embeds the pictures of the catalog; `mintmark vectors` does it now');
  });
}

/** `mintmark models list` */
export async function modelsListCommand(): Promise<void> {
  await withWorld(async ({ db }) => {
    const [model, counts] = [await addedModel(db), await countVectors(db)];
    if (model === null) console.log('no model was added');
    else console.log(`${model.name}  added ${model.addedAt.toISOString()}  sha256 ${model.sha256}`);
    for (const [name, vectors] of counts) console.log(`vectors of ${name}: ${vectors}`);
  });
}

/** `mintmark models remove` */
export async function modelsRemoveCommand(): Promise<void> {
  await withWorld(async ({ db, config }) => {
    if (!(await removeModel(db, config))) throw new CommandError('no model was added');
    console.log('removed; its vectors stay');
  });
}

/** `mintmark vectors` */
export async function vectorsCommand(): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const progress = openProgress('pictures');
    const options = { dataDir: config.dataDir, onProgress: progress.update };
    const reports = await updateCatalogVectors(db, options).catch(inOneSentence('the encoder'));
    progress.end();
    const unreadable = reports.flatMap(({ report }) => report.unreadable);
    showProblems(unreadable.map(({ hash, message }) => `picture ${hash}: ${message}`));
    const counts = await countVectors(db);
    for (const { model, report } of reports) {
      const { made, copied, dropped } = report;
      console.log(
        `${model}: pictures ${made}, items with a known picture ${copied}, removed ${dropped}; vectors now ${counts.get(model) ?? 0}`,
      );
    }
    if (unreadable.length > 0)
      throw new CommandError(`${unreadable.length} pictures cannot be read; import them again`, EXIT.incomplete);
  });
}

function inOneSentence(what: string): (error: Error) => never {
  return (error) => {
    throw error instanceof UnusableModel ? new CommandError(`${what}: ${error.message}`) : error;
  };
}
