import { type Mutant, mutantsOf } from '../mutant.ts';

const TOTAL = 'pricing/model/total/total.test.ts';

export const LISTS: Mutant[] = [
  ...mutantsOf(
    'http/endpoint.ts',
    ['lists/resolve-titles.test.ts'],
    [['a long list costs one unit', 'if (endpoint.linesOf) await', 'if (false) await']],
  ),
  ...mutantsOf(
    'sales/live-titles.ts',
    ['lists/resolve-titles.test.ts'],
    [['a changed catalog is not read again', '() => {\n      isStale = true;', '() => {\n      isStale = false;']],
  ),
  ...mutantsOf(
    'lists/identify-lines.ts',
    ['lists/valuations.test.ts'],
    [
      ['a slab is priced at the grade of the line', 'stated.key !== gradeKey)', 'false)'],
      [
        'a title of another company or grade is priced',
        'contradictsTitle({ company: stated.company, gradeKey: stated.key }, { company, gradeKey, isConditionAssumed })',
        'false',
      ],
      ['a line that no card fits is ambiguous', "reason === 'ambiguous' ? 'ambiguous' : 'unknown'", "'ambiguous'"],
    ],
  ),
  ...mutantsOf(
    'lists/value-list.ts',
    ['lists/valuations.test.ts'],
    [
      ['a line is worth one copy', 'const valueUsdCents = quantity * series', 'const valueUsdCents = series'],
      ['a withdrawn card has a price', 'if (item.removed_at !== null) return', 'if (false) return'],
      [
        'a list has candidates without end',
        'Math.floor(MAX_CANDIDATES_OF_LIST / Math.max(1, unclear))',
        'MAX_CANDIDATES',
      ],
      [
        'a digest is of the lines alone',
        'canonicalJson({ asOf, lines: stated, total })',
        'canonicalJson({ asOf, lines: stated })',
      ],
    ],
  ),
  ...mutantsOf(
    'pricing/model/total.ts',
    [TOTAL],
    [
      ['a card shares the market with itself twice', ' - weight * weight * marketOf(error)', ''],
      ['grades of a card share the market alone', '(card + marketOf(one))', 'marketOf(one)'],
      ['cards of a game are independent', 'variance += sharedByCards(cards);', ''],
      ['markets move as the parameters say', '(1 + sum / moves / marketVariance) / 2', '1'],
    ],
  ),
  ...mutantsOf(
    'web/worth/worth.tsx',
    ['web/worth/worth.test.ts'],
    [['a spreadsheet of Windows loses its accents', "isUtf8(bytes) ? 'utf-8' : 'windows-1252'", "'utf-8'"]],
  ),
  ...mutantsOf(
    'pricing/restart.ts',
    ['pricing/restart.test.ts'],
    [['a late file is taken in on the day of its import', 'asKnown: true', 'asKnown: false']],
  ),
  ...mutantsOf(
    'backup/tables.ts',
    ['backup/restore.test.ts'],
    [['a backup leaves out what an earlier version published', "p.relkind = 'r' and n.nspname", 'false and n.nspname']],
  ),
  ...mutantsOf(
    'db/among-others.ts',
    ['db/migrate.test.ts', 'pricing/upgrade.test.ts'],
    [
      [
        'a change of tables keeps others waiting',
        'await session.query(`set local lock_timeout = ${LOCK_WITHIN_MS}`);',
        '',
      ],
      ['a change of tables waits without end', 'if (waitedMs > giveUpMs)', 'if (false)'],
    ],
  ),
  ...mutantsOf(
    'pricing/compute-again.ts',
    ['pricing/restart.test.ts', 'pricing/upgrade.test.ts'],
    [['prices of another closed day are published', 'row!.closed === row!.replayed', 'true']],
  ),
  ...mutantsOf(
    'pricing/store/past-versions.ts',
    ['pricing/restart.test.ts'],
    [['a read goes on with other prices', 'now.length > past.length', 'false']],
  ),
  ...mutantsOf(
    'pricing/close-ledger-day.ts',
    ['pricing/void-during-close.test.ts'],
    [['a sale voided in the run comes back', 'run.voided.add(saleId);', '']],
  ),
];
