import { addedModel, addModel, removeModel } from '../vision/encoder/models.ts';
import { UnusableModel } from '../vision/encoder/session.ts';
import { countVectors } from '../vision/vectors/stored-vectors.ts';
import { CommandError, withWorld } from './world.ts';

/** `mintmark models add <file>` */
export async function modelsAddCommand(path: string): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const added = await addModel(db, { dataDir: config.dataDir, path }).catch((error: Error) => {
      throw error instanceof UnusableModel ? new CommandError(`${path}: ${error.message}`) : error;
    });
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
