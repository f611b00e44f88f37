import { distribute } from '../db/distribute/distribute.ts';
import { withWorld } from './world.ts';

const PLACES = { everywhere: 'a copy on each node', item_id: 'divided by card', sale_id: 'divided by sale' } as const;

/** `mintmark distribute`: distributes the tables over the nodes of the Citus cluster whose coordinator DATABASE_URL names. */
export async function distributeCommand(): Promise<void> {
  await withWorld(async ({ db }) => {
    const nodes = await distribute(db, (table, placement) => {
      if (placement !== 'coordinator') console.error(`${table}: ${PLACES[placement]}`);
    });
    console.log(`the tables are distributed over ${nodes.join(', ')}`);
  });
}
