/**
 * `node --import tsx bench/access/access.ts [guard] [timing] [hot] [budgets] [wrong-keys]`: what the gate promises, each figure
 * next to its aim; all parts when none is named. Ends with status 1 when an aim is missed.
 */

import { benchDatabase, fillPricedItems } from '../http/http-database.ts';
import { benchBudgets } from './access-budget.ts';
import { benchGuardCost, benchGuardTiming } from './access-guard.ts';
import { benchHotReads } from './access-overhead.ts';
import { benchWrongKeys } from './access-wrong-keys.ts';

const PARTS = {
  guard: benchGuardCost,
  timing: benchGuardTiming,
  hot: benchHotReads,
  budgets: benchBudgets,
  'wrong-keys': benchWrongKeys,
};
const requested = process.argv.slice(2);

const database = await benchDatabase();
try {
  const [path] = await fillPricedItems(database.db, 300);
  for (const [name, run] of Object.entries(PARTS))
    if (requested.length === 0 || requested.includes(name)) await run(database, path!);
} finally {
  await database.stop();
}
