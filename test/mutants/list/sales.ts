import { type Mutant, mutantsOf } from '../mutant.ts';

export const SALES: Mutant[] = [
  ...mutantsOf(
    'sales/screen.ts',
    ['sales/screen.test.ts'],
    [
      ['a sale that is known tomorrow enters today', "if (knownDay > today) return 'future';", ''],
      [
        'a sale of the first published day counts as a backfill',
        '< firstCloseDay) return sale.soldAtMs',
        '<= firstCloseDay) return sale.soldAtMs',
      ],
    ],
  ),
  ...mutantsOf(
    'sales/duplicates.ts',
    ['sales/duplicates.test.ts'],
    [
      [
        'a card resold at the same market is a duplicate',
        'on b.company = a.company and b.source <> a.source',
        'on b.company = a.company and b.id <> a.id',
      ],
      [
        'of three reports the kept one depends on their order',
        "(${alias}.rejection is null or ${alias}.rejection = 'duplicate')",
        '${alias}.rejection is null',
      ],
      ['one percent is of the lower price', 'greatest(a.price_usd_cents', 'least(a.price_usd_cents'],
      ['a cert sold four days later is a duplicate', '- a.sold_day) <= 3', '- a.sold_day) <= 4'],
      [
        'an aggregator may be the primary',
        "(a.aggregates <> '{}', a.id) < (b.aggregates <> '{}', b.id)",
        'a.id < b.id',
      ],
      [
        'a cancelled sale counts as an aggregator repeats it',
        " or w.source = any(f.aggregates) and ${isCancelled('w')}",
        '',
      ],
      ['another grade of the card is a duplicate', ' and b.grade_key = a.grade_key', ''],
      [
        'independent sources repeat each other',
        'and (b.source = any(sa.aggregates) or a.source = any(sb.aggregates))',
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'sales/import/revise-sales.ts',
    ['sales/import-rejected.test.ts'],
    [
      ['a lot is never accepted as one card', "'hidden_price', 'lot', 'not_card'", "'hidden_price', 'not_card'"],
      ['a sale without a rate is never accepted', "in ('fx_missing', 'future'", "in ('future'"],
      ['a sale of the future is never accepted', "'fx_missing', 'future', ", "'fx_missing', "],
      ['a hidden price is never accepted', "'future', 'hidden_price', ", "'future', "],
      ['a card of doubt is never accepted', "'lot', 'not_card',", "'lot',"],
      [
        'another grading company is never accepted',
        "'company_unsupported', 'grade_unsupported')))",
        "'grade_unsupported')))",
      ],
    ],
  ),
  ...mutantsOf(
    'sales/import/write-sales.ts',
    ['sales/import-rejected.test.ts'],
    [
      [
        'a struck-through price is an ask for ever',
        'currency, sold_at, sold_at, sold_at, url',
        'currency, sold_at, sold_at, null, url',
      ],
      [
        'a card that waited for its catalog waits on',
        "'delete from waiting_sales w using",
        "'delete from waiting_sales w using (select 1 where false) never,",
      ],
    ],
  ),
  ...mutantsOf(
    'sales/import/revise-sales.ts',
    ['sales/import.test.ts'],
    [
      ['a correction leaves the first price in force', "'corrected' as reason", "'voided' as reason"],
      [
        'an old file changes a correction back',
        'and x.price_minor = s.price_minor and x.currency = s.currency and ${isLive',
        'and x.price_minor = s.price_minor and x.revision > 0 and ${isLive',
      ],
    ],
  ),
  ...mutantsOf(
    'sales/import/revise-sales.ts',
    ['sales/import.test.ts', 'sales/import-rejected.test.ts'],
    [
      [
        'a sale taken back comes in again',
        "x.rejection in ${CANCELLED} and ${isLive('x')} or v.reason in ${CANCELLED} and ${isLiveVoid('v')}",
        'false',
      ],
      ['a sale taken back a second time is counted again', 'and x.rejection is distinct from s.status\n', '\n'],
      [
        'an undone revision keeps a correction out',
        "and x.currency = s.currency and ${isLive('x')}",
        'and x.currency = s.currency',
        ['sales/undoing/undo-import.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'sales/identify.ts',
    ['sales/deciding/unlearn-alias.test.ts'],
    [['what a taught name matched is not noted', '...(aliasDecision !== null && { decisionId: aliasDecision }),', '']],
  ),
  ...mutantsOf(
    'sales/import/prepare.ts',
    ['sales/deciding/unlearn-alias.test.ts'],
    [['what put a sale on its card is not kept', '      ...(decisionId !== undefined && { decisionId }),\n', '']],
  ),
  ...mutantsOf(
    'sales/deciding/unlearn-alias.ts',
    ['sales/deciding/unlearn-alias.test.ts'],
    [
      ['a sale that needs two names outlasts the older', 'says(readTitle(title), alias)', 'false'],
      ['a sale that needs only a newer name waits', 'says(readTitle(title), alias)', 'true'],
    ],
  ),
  ...mutantsOf(
    'sales/deciding/wait-again.ts',
    ['sales/deciding/unlearn-alias.test.ts'],
    [
      ['a sale that a row or a person states waits too', "and ${isLive('y')})", 'and false)'],
      ['a sale waits as it was first reported', 'x.revision desc', 'x.revision'],
      ['a dropped sale is counted', 'where dropped_by is null and', 'where'],
      ['a dropped sale waits', "subject = x.source || ' ' || x.source_sale_id", 'false'],
      ['a sale that its source canceled is counted', " and not ${isTakenBack('put.source', 'put.source_sale_id')}", ''],
      [
        'a sale that was reported as canceled waits',
        "case when x.rejection in ('voided', 'unpaid', 'relisted') then x.rejection else 'sold' end",
        "'sold'",
      ],
      ['a sale of an undone import is counted', 'i.id = import_id and i.undone_by is not null', 'false'],
    ],
  ),
  ...mutantsOf(
    'sales/deciding/take-back-sale.ts',
    ['sales/deciding/unlearn-alias.test.ts'],
    [
      [
        'a match that is taken back after the name loses the sale',
        'if (waiting === null) await waitAgain(session, KEY, JSON.stringify(name));\n  else if (',
        'if (waiting !== null && ',
      ],
    ],
  ),
  ...mutantsOf(
    'sales/voids.ts',
    ['sales/import.test.ts', 'sales/import-rejected.test.ts', 'sales/duplicates.test.ts', 'pricing/voids.test.ts'],
    [
      ['a void changes published days', 'then to_timestamp($2::int * 86400.0)', 'then null'],
      ['a void waits for today though nothing was published', 'm.day >= s.known_day)', 'm.day >= s.known_day) or true'],
    ],
  ),
  ...mutantsOf(
    'sales/ledger.ts',
    ['sales/ledger.test.ts'],
    [
      [
        'a corrected sale is shown twice',
        "v.reason not in ('corrected', 'undone') and",
        "v.reason not in ('undone') and",
      ],
      [
        'an undone sale is still shown',
        "v.reason not in ('corrected', 'undone') and",
        "v.reason not in ('corrected') and",
        ['sales/undoing/undo-import.test.ts'],
      ],
      [
        'counts are of the chosen source alone',
        'group by source order by source`',
        'group by source order by source limit 1`',
      ],
    ],
  ),
  ...mutantsOf(
    'sales/sales-by-day.ts',
    ['sales/ledger.test.ts'],
    [
      [
        'averages count rejected sales',
        'and sold_day between $3 and $4 and reason is null\n  group by sold_day, grade_key',
        'and sold_day between $3 and $4\n  group by sold_day, grade_key',
      ],
      [
        'a listing counts for ever',
        'extract(epoch from coalesce(ended_at, last_seen))',
        "extract(epoch from last_seen + interval '9 days')",
      ],
    ],
  ),
  ...mutantsOf(
    'sales/breakdown.ts',
    ['sales/ledger.test.ts'],
    [['the window of trades begins a day late', 's.sold_day >= $3 as recent', 's.sold_day > $3 as recent']],
  ),
];
