import { type Mutant, mutantsOf } from '../mutant.ts';

export const GRADED: Mutant[] = [
  ...mutantsOf(
    'graded/runs/event-id.ts',
    ['graded/runs/event-id.test.ts'],
    [['an id of one cert opens a stream of another', 'graded event ${subject} ${said}', 'graded event ${said}']],
  ),
  ...mutantsOf(
    'graded/stream.ts',
    ['graded/graded-stream.test.ts'],
    [
      ['an id of PSA opens a stream of CGC', '`${cert.company} ${cert.key}`', 'cert.key'],
      ['coming back repeats the last event', 'place: place + 1 }', 'place }'],
      ['a forgotten run is followed for nothing', '      await charge();\n', ''],
      ['coming back after the end begins anew', 'if (before?.isLast) return { events: null };', ''],
    ],
  ),
  ...mutantsOf(
    'graded/runs/runs.ts',
    ['graded/runs/runs.test.ts'],
    [
      [
        'later clients miss the beginning',
        'from?.runId === feed.runId ? from.place : 0;',
        'from?.runId === feed.runId ? from.place : feed.events.length;',
      ],
      ['work that nobody waits for goes on', '    await jobs.stop(feed.cert);\n', ''],
      [
        'a reader that has waited long enough stops the work',
        '            if (over.aborted && !signal.aborted) feed.goesOn = true;\n',
        '',
      ],
    ],
  ),
  ...mutantsOf(
    'graded/runs/run-jobs.ts',
    ['graded/runs/runs.test.ts'],
    [
      ['two processes value one cert', "job_key_mode => 'unsafe_dedupe'", "job_key_mode => 'replace'"],
      ['readers in another process do not count', "case when ${isFree('$1')} then $1 end", '$1'],
    ],
  ),
  ...mutantsOf(
    'graded/runs/run-jobs.ts',
    ['graded/runs/run-faults.test.ts'],
    [
      [
        'a run that is taken over repeats its events',
        'inOrder(world.value(cert, signal), after)',
        'inOrder(world.value(cert, signal))',
      ],
      ['a run that kills processes is never given up', 'if (attempts > MAX_ATTEMPTS) return givenUp(cert);', ''],
      ['a run is given up before four processes died of it', 'attempts > MAX_ATTEMPTS', 'attempts >= MAX_ATTEMPTS'],
      ['a stopping process leaves its runs to a retry', '[handedOver],', '[[]],'],
    ],
  ),
  ...mutantsOf(
    'graded/runs/run-events.ts',
    ['graded/runs/runs.test.ts'],
    [['runs are forgotten while streams may come back', "interval '10 minutes'", "interval '8 minutes'"]],
  ),
];

export const SLABS: Mutant[] = [
  ...mutantsOf(
    'graded/slab/slab-card.ts',
    ['graded/slab/slab-evidence.test.ts'],
    [
      [
        'a label is believed though the picture surely shows another card',
        'if (isCertainArt) return { itemId: null',
        'if (false) return { itemId: null',
      ],
      ['a picture of several printings identifies one of them', ' && art.ids.length === 1) return', ') return'],
      [
        'a picture that is hardly recognized contradicts a label',
        "art.confidence === 'high' || art.confidence === 'medium'",
        "art.confidence !== 'none'",
      ],
    ],
  ),
  ...mutantsOf(
    'graded/slab/slab-evidence.ts',
    ['graded/slab/slab-evidence.test.ts'],
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
    'graded/slab/slab-cert.ts',
    ['vision/slab/slab-cert.test.ts'],
    [
      ['print that is read twice does not contradict a barcode', 'first[1].count >= 2;', 'first[1].count >= 3;'],
      ['print alone is believed at nine pixels', 'const LEGIBLE_PX = 10;', 'const LEGIBLE_PX = 9;'],
      ['print alone is not believed at ten pixels', 'const LEGIBLE_PX = 10;', 'const LEGIBLE_PX = 11;'],
    ],
  ),
  ...mutantsOf(
    'vision/slab/grade/grade-number.ts',
    ['vision/slab/grade/grade-number.test.ts'],
    [
      ['a digit that was guessed is a reading of the grade', 'const LEGIBLE = 25;', 'const LEGIBLE = 24;'],
      ['a digit that was read is left out', 'const LEGIBLE = 25;', 'const LEGIBLE = 26;'],
      [
        'one of two numbers in an area is the grade',
        'if (found.length !== 1) continue;',
        'if (found.length === 0) continue;',
      ],
      ['one reading ends it', 'if (numbers.includes(found[0]!))', 'if (numbers.length >= 0)'],
    ],
  ),
  ...mutantsOf(
    'vision/slab/grade/grade-by-number.ts',
    ['vision/slab/grade/grade-by-number.test.ts'],
    [
      ['a doubtful number is a grade without words', 'const BEYOND_DOUBT = 85;', 'const BEYOND_DOUBT = 84;'],
      ['a part of a number is a grade without words', 'const OFF_CENTER = 0.08;', 'const OFF_CENTER = 0.3;'],
      ['a number right over its words is not a grade', 'const OFF_CENTER = 0.08;', 'const OFF_CENTER = 0.02;'],
      ['a line is a one', "one !== '1' && ", ''],
      ['a ten is the first of several', 'row === undefined || another !== undefined', 'row === undefined'],
      ['a number is a grade though its words say another', ' && !isRead && ', ' && '],
    ],
  ),
  ...mutantsOf(
    'vision/slab/grade/grade-reading.ts',
    ['vision/slab/grade/grade-reading.test.ts'],
    [
      ['a black label passes for another ten', "=== 'light';", "=== 'dark' && false;"],
      ['every ten of Beckett is a black label', " && inkAt(tools.cv, print, at) === 'light'", ''],
    ],
  ),
  ...mutantsOf(
    'vision/slab/enlargement.ts',
    ['vision/slab/slab.test.ts'],
    [['small photos are read as they are', 'const ENLARGED = 2.5;', 'const ENLARGED = 1;']],
  ),
  ...mutantsOf(
    'vision/slab/read-slab.ts',
    ['vision/slab/slab.test.ts'],
    [
      [
        'the place of a slab in a small photo is that in the enlarged one',
        'inPhoto(found, 1 / enlargementOf(photo))',
        'inPhoto(found, 1)',
      ],
    ],
  ),
];

export const SEARCH: Mutant[] = [
  ...mutantsOf(
    'search/query/score.ts',
    ['search/query/right-first.test.ts'],
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
    [['structured data holds the sign that ends a comment', '/[<>&', '/[<&']],
  ),
  ...mutantsOf(
    'web/card/card-graded.tsx',
    ['web/card/card.test.ts'],
    [
      [
        'a grade that never sold has sales in structured data',
        'soldIn30Days: isTracked ? soldIn30Days : null',
        'soldIn30Days',
      ],
    ],
  ),
  ...mutantsOf(
    'web/card/card-json-ld.ts',
    ['web/card/card.test.ts'],
    [['a card without a price has a date of null', 'if (updatedAt !== null)\n', 'if (true)\n']],
  ),
  ...mutantsOf(
    'sales/listings-of-series.ts',
    ['web/card/card.test.ts'],
    [['an ended listing is an offer', ' and ended_at is null', '']],
  ),
];

export const VECTORS: Mutant[] = mutantsOf(
  'vision/vectors/scan.ts',
  ['vision/scan.test.ts', 'vision/recognise/nearest.test.ts'],
  [
    ['what quantizing parts from the nearest is lost', 'const MARGIN_STEPS = 3;', 'const MARGIN_STEPS = 1.5;'],
    ['vectors farther than quantizing can part are read', 'const MARGIN_STEPS = 3;', 'const MARGIN_STEPS = 5;'],
    ['the rest of a chunk is not compared', 'first[i]!.at(-1)!.distance <= farthest', 'false'],
    ['equal vectors are read without end', '.slice(0, MOST_CANDIDATES)', ''],
  ],
);
