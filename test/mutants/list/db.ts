import { type Mutant, mutantsOf } from '../mutant.ts';

export const DB: Mutant[] = mutantsOf(
  'db/locks.ts',
  ['db/locks.test.ts'],
  [
    ['an old and a new version close days at the same time', "reprice: '714002'", "reprice: '714005'"],
    ['an old and a new version write sales at the same time', "hashtext('mintmark ledger')", "hashtext('ledger')"],
    ['prices and indices wait for each other', "indices: '714003'", "indices: '714002'"],
    [
      'a lock is held after the work',
      'pg_advisory_lock(${KEYS[lock]})`);\n  const result = await work();\n  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);',
      'pg_advisory_lock(${KEYS[lock]})`);\n  const result = await work();',
    ],
    [
      'a lock that was free is held after the work',
      'return null;\n  const result = await work();\n  await session.query(`select pg_advisory_unlock(${KEYS[lock]})`);',
      'return null;\n  const result = await work();',
    ],
  ],
).concat(
  mutantsOf(
    'db/locks.ts',
    ['db/lock-waits.test.ts'],
    [
      [
        'a wait is reported of one that waits too',
        'order by h.pid is null, a.backend_start limit',
        'order by a.backend_start limit',
      ],
      ['each wait for one holder is reported', 'if (key === last.key', 'if (key === null'],
    ],
  ),
  mutantsOf(
    'db/jobs/dead-workers.ts',
    ['db/jobs/dead-workers.test.ts'],
    [
      ['a dead worker keeps its jobs', 'if (dead.length === 0)', 'if (dead.length < 1000)'],
      ['a worker that lost its connection for a moment loses its jobs', '>= looks', '>= 1'],
    ],
  ),
);
