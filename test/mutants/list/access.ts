import { type Mutant, mutantsOf } from '../mutant.ts';

export const ACCESS: Mutant[] = [
  ...mutantsOf(
    'access/guard.ts',
    ['access/guard.test.ts'],
    [
      ['a body that is too large is not a failed try', '[400, 404, 405, 413, 422]', '[400, 404, 405, 422]'],
      ['an unknown card costs no unit', '[400, 404, 405, 413, 422]', '[400, 405, 413, 422]'],
      ['a malformed request costs no unit', '[400, 404, 405, 413, 422]', '[404, 405, 413, 422]'],
      ['a 304 costs a unit', '(status < 300 || COUNTED', '(status < 400 || COUNTED'],
      ['no answer gives its unit back', 'for (let unit = 0; unit <= more; unit++) quota.giveBack(budget, last);', ''],
      [
        'failed tries cost a unit',
        'const hasFailed = forgivesFailures(policy) && (isWaived || COUNTED.has(status));',
        'const hasFailed = false;',
      ],
      ['failed tries are free without end', 'if (forgivesFailures(budgeted)) checkTries(request);', ''],
      ['HEAD is free', "new Set(['GET', 'HEAD', 'POST'])", "new Set(['GET', 'POST'])"],
      ['OPTIONS and PUT cost a unit', '|| !COUNTED_METHODS.has(request.method!)) return', ') return'],
      ['a key is believed without its secret', 'keys.accepts(id, secret))', 'true)'],
      [
        'wrong keys may be tried without end',
        "if (waitSeconds > 0) return tooMany('auth'",
        "if (waitSeconds > 1e9) return tooMany('auth'",
      ],
      [
        'a partner has the public budget',
        'const limit = limits[budgeted][caller.tier];',
        'const limit = limits[budgeted].public;',
      ],
      [
        'a burst is let through',
        'const waitSeconds = bursts.take(caller.subject, perSecond);',
        'const waitSeconds = 0;',
      ],
    ],
  ),
  ...mutantsOf(
    'access/address.ts',
    ['access/address.test.ts'],
    [
      ['every address of a subscriber has a budget of its own', 'network(ip.parts, 64)', 'ip.toString()'],
      [
        'the forwarded address is believed of anybody',
        'if (trustedProxies.length === 0) return (request) =>',
        'if (trustedProxies.length === 99) return (request) =>',
      ],
    ],
  ),
  ...mutantsOf(
    'access/keys.ts',
    ['access/guard.test.ts'],
    [
      ['a revoked key goes on', 'from api_keys where revoked_at is null`', 'from api_keys`'],
      ['a rotated secret never ends', ' || clock() >= found.untilMs', ''],
      ['a key opens with the secret of another', ' || found.id !== id', ''],
    ],
  ),
  ...mutantsOf(
    'access/quota.ts',
    ['access/quota.test.ts'],
    [
      ['a unit of yesterday is given back today', ' && monotonicMs() < endsAtMs) account.held++;', ') account.held++;'],
      ['a spent budget asks the database each time', 'account.isSpent = granted === 0;', ''],
      ['a stop keeps what is held', '    async close() {', '    async close() {\n      accounts.clear();'],
      ['yesterday is never over', ' : Object.assign(known, whole);', ' : known;'],
    ],
  ),
  ...mutantsOf(
    'access/quota-blocks.ts',
    ['access/quota-blocks.test.ts', 'access/quota.test.ts'],
    [
      ['units of one day are given back to all', ' and q.window_day = r.day', ''],
      ['a block is twice as large', 'BLOCKS_PER_BUDGET = 200', 'BLOCKS_PER_BUDGET = 100'],
      ['a small budget has no blocks', 'Math.max(1, Math.floor(', 'Math.max(0, Math.floor('],
      [
        'more is granted than is left',
        'set granted = greatest(0, least($3::int - q.taken, $4::int))',
        'set granted = $4::int',
      ],
      ['a lowered budget gives units back', 'q.taken + greatest(0, least(', 'q.taken + (least('],
    ],
  ),
  ...mutantsOf(
    'intake/form-store.ts',
    ['intake/once.test.ts', 'intake/budget.test.ts'],
    [
      ['a key belongs to everybody', '\\n${caller.subject}\\n${key}', '\\n${key}'],
      ['partners fill the share of strangers', 'where sent_by_key is null and received_at', 'where received_at'],
    ],
  ),
  ...mutantsOf(
    'intake/idempotency.ts',
    ['intake/once.test.ts'],
    [
      ['a key is remembered for ever', '  await forgetOld(sql, nowMs);\n', ''],
      [
        'a key may come with another body',
        'if (known.payload_hash.equals(request.payloadHash)) return',
        'if (known) return',
      ],
    ],
  ),
];
