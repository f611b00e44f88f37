import { readFileSync } from 'node:fs';
import type { Config } from '../config.ts';
import { GAME_INDICES, type IndexDefinition } from '../indices/definitions.ts';
import { readSubIndices } from '../indices/sub-indices.ts';
import { CommandError, EXIT } from './world.ts';

/** The operator's sub-indices; none without a file. Throws CommandError or InvalidIndices when it cannot be used. */
export function loadSubIndices({ indicesFile }: Pick<Config, 'indicesFile'>): IndexDefinition[] {
  if (indicesFile === null) return [];
  return readSubIndices(textOf(indicesFile), indicesFile);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(`INDICES_FILE cannot be read: ${(error as Error).message}`, EXIT.usage);
  }
}

/** The index of a slug, or all of them. Throws CommandError for a slug that none has. */
export function indicesNamed(slug: string | undefined, config: Pick<Config, 'indicesFile'>): IndexDefinition[] {
  const all = [...GAME_INDICES, ...loadSubIndices(config)];
  if (slug === undefined) return all;
  const found = all.filter((one) => one.slug === slug);
  if (found.length > 0) return found;
  throw new CommandError(
    `no index is called "${slug}"; there are ${all.map((one) => one.slug).join(', ')}`,
    EXIT.usage,
  );
}
