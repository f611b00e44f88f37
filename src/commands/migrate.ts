import { counted } from '../lib/counted.ts';
import { type JsonOption, report } from './output.ts';
import { withWorld } from './world.ts';

/** `mintmark migrate`: opening the world already brings the database up to date. */
export async function migrateCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const rows = await db.query<{ name: string }>('select name from migrations order by name');
    const migrations = rows.map(({ name }) => name);
    report(options, { migrations }, () => [
      `the database is up to date: ${counted(migrations.length, 'migration')}, the last is ${migrations.at(-1)}`,
    ]);
  });
}
