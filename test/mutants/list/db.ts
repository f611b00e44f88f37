import { type Mutant, mutantsOf } from '../mutant.ts';

export const DB: Mutant[] = mutantsOf(
  'db/locks.ts',
  ['db/locks.test.ts'],
  [
    ['an old and a new version close days at the same time', "reprice: '714002'", "reprice: '714005'"],
    ['an old and a new version write sales at the same time', "hashtext('mintmark ledger')", "hashtext('ledger')"],
    ['prices and indices wait for each other', "indices: '714003'", "indices: '714002'"],
    ['a lock is held after the work', '  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);\n', ''],
  ],
);
