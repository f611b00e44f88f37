import { readConfig } from '../config.ts';
import { publishedSpan } from '../indices/close/store.ts';
import { formatDay } from '../lib/day.ts';
import { indicesNamed } from './index-definitions.ts';
import { withWorld } from './world.ts';

/** `mintmark index list`: every index, its scope and its last closed day. */
export async function indexListCommand(): Promise<void> {
  const config = readConfig();
  await withWorld(async ({ db }) => {
    for (const { slug, game, label, universe } of indicesNamed(undefined, config)) {
      const { lastDay } = await publishedSpan(db, slug);
      const parts = Object.entries(universe).map(([name, value]) => `${name} ${[value].flat().join('–')}`);
      const closed = lastDay === null ? 'nothing closed yet' : `closed through ${formatDay(lastDay)}`;
      console.log([slug, label, [game, ...parts].join(', '), closed].join('\t'));
    }
  }, config);
}
