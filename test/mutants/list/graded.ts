import { type Mutant, mutantsOf } from '../mutant.ts';

export const GRADED: Mutant[] = [
  ...mutantsOf(
    'graded/event-id.ts',
    ['graded/event-id.test.ts'],
    [
      ['an id of PSA opens a stream of CGC', 'graded event ${company} ${key} ${said}', 'graded event ${key} ${said}'],
      [
        'an id of one cert opens a stream of another',
        'graded event ${company} ${key} ${said}',
        'graded event ${company} ${said}',
      ],
    ],
  ),
  ...mutantsOf(
    'graded/stream.ts',
    ['api/graded-stream.test.ts'],
    [
      ['coming back repeats the last event', 'place: place + 1 }', 'place }'],
      ['a forgotten run is followed for nothing', '      await charge();\n', ''],
      ['coming back after the end begins anew', 'if (before?.isLast) return { events: null };', ''],
    ],
  ),
  ...mutantsOf(
    'graded/runs.ts',
    ['graded/runs.test.ts'],
    [
      [
        'whoever comes later misses the beginning',
        'let place = from?.place ?? 0;',
        'let place = from?.place ?? live.log.length;',
      ],
      ['work nobody waits for goes on', '        else if (!isNeeded) await stopIfLeft(live);\n', ''],
      [
        'a reader that has waited long enough stops the work',
        '            live.isJob = true;\n            await makeJob(db, cert);\n',
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'graded/run-store.ts',
    ['graded/runs.test.ts'],
    [
      ['two processes value one cert', "where v.state <> 'running' or v.lease_until < clock_timestamp()\n", ''],
      [
        'readers in another process do not count',
        'v.is_job or v.wanted_until > clock_timestamp() as needed',
        'v.is_job as needed',
      ],
    ],
  ),
];

export const SLABS: Mutant[] = [
  ...mutantsOf(
    'graded/slab-card.ts',
    ['graded/slab-evidence.test.ts'],
    [
      [
        'a label is believed though the picture surely shows another card',
        'if (isSureArt) return { itemId: null',
        'if (false) return { itemId: null',
      ],
      ['a picture of several printings tells one of them', ' && art.ids.length === 1) return', ') return'],
      [
        'a picture that is hardly recognized contradicts a label',
        "art.confidence === 'high' || art.confidence === 'medium'",
        "art.confidence !== 'none'",
      ],
    ],
  ),
  ...mutantsOf(
    'graded/slab-evidence.ts',
    ['graded/slab-evidence.test.ts'],
    [
      ['one word of a name on the label is the whole name', 'if (share === 1) return', 'if (share > 0) return'],
      ['half of a name contradicts the card', 'return share >= 0.5\n', 'return share > 0.5\n'],
      [
        'a picture that is hardly recognized contradicts the card',
        "return confidence === 'low'\n",
        "return confidence === 'none'\n",
      ],
      [
        'a label without a record is compared',
        'if (recordGrade === null) return notCompared(',
        'if (recordGrade === null) return compared(true, ',
      ],
    ],
  ),
  ...mutantsOf(
    'graded/slab-cert.ts',
    ['vision/slab-cert.test.ts'],
    [['print that is read twice does not contradict a barcode', 'first[1].count >= 2;', 'first[1].count >= 3;']],
  ),
];

export const SEARCH: Mutant[] = [
  ...mutantsOf(
    'search/score.ts',
    ['search/right-first.test.ts'],
    [['4/102 no longer prefers sets of 102', 'if (sizedSets?.has(set)) relevance += SET_OF_SIZE;', '']],
  ),
  ...mutantsOf(
    'catalog/slug.ts',
    ['catalog/slug.test.ts'],
    [
      [
        'a year inside a longer number counts as the year',
        "base.split('-').includes(String(set.year))",
        'base.includes(String(set.year))',
      ],
    ],
  ),
  ...mutantsOf(
    'web/json-ld.ts',
    ['web/json-ld.test.ts'],
    [['structured data holds the sign that ends a comment', ".replace(/>/g, '\\\\u003E')", '']],
  ),
  ...mutantsOf(
    'web/card-graded.tsx',
    ['web/card.test.ts'],
    [
      [
        'a grade that never sold has sales in structured data',
        'soldIn30Days: isTracked ? soldIn30Days : null',
        'soldIn30Days',
      ],
    ],
  ),
  ...mutantsOf(
    'web/card-json-ld.ts',
    ['web/card.test.ts'],
    [['a card without a price has a date of null', 'if (updatedAt !== null)\n', 'if (true)\n']],
  ),
  ...mutantsOf(
    'sales/live-listings.ts',
    ['web/card.test.ts'],
    [['an ended listing is an offer', ' and ended_at is null', '']],
  ),
];

export const VECTORS: Mutant[] = mutantsOf(
  'vision/vectors/scan.ts',
  ['vision/scan.test.ts'],
  [
    ['what quantizing parts from the nearest is lost', 'const MARGIN = 0.004;', 'const MARGIN = 0.003;'],
    ['vectors farther than quantizing can part are read', 'const MARGIN = 0.004;', 'const MARGIN = 0.005;'],
    ['equal vectors are read without end', 'within.slice(0, MOST_CANDIDATES)', 'within'],
  ],
);
