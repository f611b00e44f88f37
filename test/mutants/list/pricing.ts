import { type Mutant, mutantsOf } from '../mutant.ts';
import { MODEL } from './price-model.ts';

export const PRICING: Mutant[] = [
  ...MODEL,
  ...mutantsOf(
    'pricing/store/ledger-sales.ts',
    ['pricing/import-under-way.test.ts', 'pricing/voids.test.ts'],
    [
      ['a close does not wait for imports', "  await session.query('lock table sales in share mode');\n", ''],
      ['a sale enters before it was sold', "'greatest(s.known_day, s.sold_day)'", "'s.known_day'"],
      ['rejected sales enter', "'s.rejection is null and s.grade_key", "'s.grade_key"],
      [
        'voided sales enter',
        'and not exists (select from sale_voids v where v.sale_id = s.id and v.known_day <= ${day})`',
        '`',
      ],
      ['sales reported late are left out', 'if (overdue) parts.push(part(late, String(fromDay)));', ''],
      ['a void is acted on again and again', ' and u.voided_day is null order by', ' order by'],
    ],
  ),
  ...mutantsOf(
    'pricing/reprice.ts',
    ['pricing/reprice.test.ts'],
    [
      [
        'a day without a sale is not closed',
        'const firstDay = model.day === null ? due[0]?.day : model.day + 1;',
        'const firstDay = due[0]?.day;',
      ],
      [
        'the second batch of a run begins rows that the first began',
        '    previousDay = to;\n',
        '',
        ['pricing/killed.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'pricing/close-ledger-day.ts',
    ['pricing/permuted.test.ts'],
    [
      ['grades are numbered as they come', '[...grades].sort()', '[...grades]'],
      ['sources are numbered as they come', '[...sources].sort()', '[...sources]'],
      ['that a sale came late is not noted', ' || late.has(saleId))', ')', ['indices/rebuild.test.ts']],
    ],
  ),
  ...mutantsOf(
    'pricing/store/card-store.ts',
    ['pricing/voids.test.ts'],
    [['a card that voids have emptied is in the curves', ' || store.unsold.has(id)', '']],
  ),
  ...mutantsOf(
    'pricing/store/card-store.ts',
    ['pricing/little-memory.test.ts'],
    [
      ['packed cards are not in the curves', 'of store.packed.values()', 'of [] as PackedCard[]'],
      ['packed cards are in the curves twice', ', ...store.packed.keys()]', ']'],
      ['what was forgotten is taken for known', 'store.complete = false;', ''],
    ],
  ),
  ...mutantsOf(
    'pricing/accuracy/histories.ts',
    ['pricing/little-memory.test.ts'],
    [['a packed history is not read back', 'unpackHistory(packed)', '[]']],
  ),
  ...mutantsOf(
    'pricing/store/model-state.ts',
    ['pricing/version-2.test.ts'],
    [['ranges of version 2 are taken for those of version 3', 'if (isOwn) model.calibration', 'model.calibration']],
  ),
  ...mutantsOf(
    'pricing/store/item-rows.ts',
    ['pricing/read/provisional.test.ts'],
    [
      ['a corrected sale counts twice until its close', '(s.revision = 0 or not exists (', '(true or not exists ('],
      [
        'no correction counts before its close',
        'e.id <= m.seen_sale_id and greatest(e.known_day, e.sold_day) <= m.closed_day',
        'true',
      ],
    ],
  ),
  ...mutantsOf(
    'pricing/store/snapshot-rows.ts',
    ['pricing/killed.test.ts'],
    [
      [
        'a checkpoint replaces the snapshots that the one before it began a row with',
        'stored.snapshots || excluded.snapshots',
        'excluded.snapshots',
        ['record/as-of.test.ts'],
      ],
      ['snapshots of two periods are one row', 'places[i] === period', 'i < places.length'],
    ],
  ),
  ...mutantsOf(
    'pricing/store/checkpoint.ts',
    ['pricing/voids.test.ts'],
    [['a card keeps its price when its only sale is voided', 'if (emptied.size > 0) await', 'if (false) await']],
  ),
];

export const INDICES: Mutant[] = [
  ...mutantsOf(
    'indices/method/walk.ts',
    ['indices/method/walk.test.ts'],
    [
      ['a member that leaves alone stays', 'if (leaving.length > 0) {', 'if (leaving.length > 1) {'],
      [
        'the last members of a basket stay',
        'if (leaving.length > 0) {',
        'if (leaving.length > 0 && leaving.length < members.length) {',
      ],
    ],
  ),
  ...mutantsOf(
    'indices/close/known-sales.ts',
    ['indices/withdrawals.test.ts'],
    [['an item that is back before the close leaves', ' and later.id > w.id)', ' and false)']],
  ),
  ...mutantsOf(
    'indices/close/universe-sales.ts',
    ['indices/withdrawals.test.ts', 'indices/universe-sales.test.ts'],
    [
      ['a rotation chooses an item withdrawn since the last close', 'closeDay <= day', 'closeDay < day'],
      [
        'a rotation goes by the first event of an item',
        'order by w.close_day, w.id',
        'order by w.close_day desc, w.id desc',
      ],
      [
        'a series that sold between the windows of two rotations is a newcomer',
        'hasSoldBefore = true',
        'hasSoldBefore = false',
      ],
      ['a series that sold before the first window is a newcomer', 'k.sold_day <= $3', 'k.sold_day < $3 - 400'],
      [
        'a window counts sales of the day before it',
        'if (soldDay <= day - windowDays)',
        'if (soldDay < day - windowDays)',
      ],
      ['a window counts sales that its close did not know', ' || fromDay > day', ''],
      ['a window counts voided sales', ' || untilDay <= day', ''],
    ],
  ),
  ...mutantsOf(
    'indices/close/store.ts',
    ['indices/withdrawals.test.ts'],
    [['sales of a member that left are counted', 'k.sold_day < coalesce(r.day, 2147483647) and ', '']],
  ),
  ...mutantsOf(
    'indices/close/reopen.ts',
    ['indices/reopen.test.ts'],
    [
      [
        'a reopened withdrawal waits for the day that a wrong clock closed',
        'set close_day = null where',
        'set close_day = close_day where',
      ],
    ],
  ),
  ...mutantsOf(
    'indices/close/close.ts',
    ['indices/close.test.ts'],
    [
      [
        'an index closes days whose prices are not closed',
        'Math.min(options.through, closed ?? Number.NEGATIVE_INFINITY)',
        'options.through',
      ],
      ['a withdrawal changes a published day', '1 + greatest(', '0 + greatest(', ['indices/withdrawals.test.ts']],
    ],
  ),
];
