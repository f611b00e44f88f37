import { withWorld } from './world.ts';

/** `mintmark migrate`: opening the world already brings the database up to date. */
export async function migrateCommand(): Promise<void> {
  await withWorld(async ({ db }) => {
    const rows = await db.query<{ name: string }>('select name from migrations order by name');
    console.log(`the database is up to date: ${rows.map((row) => row.name).join(', ')}`);
  });
}
