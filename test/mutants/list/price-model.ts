import { type Mutant, mutantsOf } from '../mutant.ts';

const model = (file: string) => `pricing/model/${file}`;

/** Faults of the price model, one for each of its rules. */
export const MODEL: Mutant[] = [
  ...mutantsOf(
    model('fmv.ts'),
    [model('scenarios/ordinary.test.ts')],
    [
      ['late sales vote for today’s market', 'lagDays === 0 && variance <', 'variance <'],
      [
        'each sale of a card votes',
        '({ card }) => card).values()',
        '({ id }) => id).values()',
        [model('model-close.test.ts')],
      ],
    ],
  ),
  ...mutantsOf(
    model('forecast.ts'),
    [model('properties.test.ts')],
    [
      [
        'sales of a card are taken in the order of their ids',
        'compare(gradeKeys[a.grade]!, gradeKeys[b.grade]!) ||',
        'a.id - b.id ||',
      ],
      [
        'cards of a day are taken in the order of their ids',
        'a.price - b.price ||',
        'compare(a.sale.card.id, b.sale.card.id) ||',
      ],
    ],
  ),
  ...mutantsOf(
    model('curve/refit.ts'),
    [model('scenarios/order.test.ts')],
    [
      ['cards of a refit are taken as they come', 'first[a]! - first[b]! || byEvidence(cards[a]!, cards[b]!)', '0'],
      ['cards of a refit are ordered by their first price alone', ' || byEvidence(cards[a]!, cards[b]!)', ''],
    ],
  ),
  ...mutantsOf(
    model('joint.ts'),
    [model('model-joint.test.ts')],
    [
      ['many sales of a day are as noisy as one', 'noise: 1 / precision', 'noise: sales[0]!.noise'],
      ['a day weighs as the sum of its sales', 'weight: squares / sum', 'weight: sum'],
    ],
  ),
  ...mutantsOf(
    model('series-close.ts'),
    [model('model-volatility.test.ts')],
    [
      ['the first sale of a card is a surprise', 'if (card.sales > 0) {', 'if (true) {'],
      [
        'a late sale sets back when a series last sold',
        'own.lastSoldAtMs = Math.max(own.lastSoldAtMs, sale.soldAtMs);',
        'own.lastSoldAtMs = sale.soldAtMs;',
        [model('scenarios/ordinary.test.ts')],
      ],
      ['a repeated outlier teaches noise', 'if (!outcome.repeats) learn', 'learn', [model('model-close.test.ts')]],
    ],
  ),
  ...mutantsOf(
    model('card.ts'),
    [model('model-volatility.test.ts')],
    [
      [
        'a young card wanders as an old one',
        'const young = 1 + Math.exp(-card.sales / params.volatileSales);',
        'const young = 1;',
      ],
      ['a moving card wanders as a resting one', 'young * moving', 'young'],
      ['a grade does not wander', ' + params.gradeVariancePerDay * walked', '', [model('model-card.test.ts')]],
    ],
  ),
  ...mutantsOf(
    model('update.ts'),
    [model('model-joint.test.ts')],
    [
      [
        'a jump of a card with one grade moves half the card',
        '? 0.5 : 0.8',
        '? 0.5 : 0.5',
        [model('scenarios/outliers.test.ts')],
      ],
      ['the first sale of a card is down-weighted', 'card.sales === 0 ? believed(sales)', 'false ? believed(sales)'],
      ['sales that contradict each other are outliers', ' && ownWeight < params.outlierWeight', ''],
      ['a day with two sources is not a jump', 'const jumped = outlier && is', 'const jumped = agreed && is'],
      ['sales that contradict each other confirm a jump', '<= 1.25 *', '<= 125 *'],
      ['a surprise is all noise', 'return 1 + (weight ** -0.6 - 1) * near;', 'return 1;'],
      ['one wild sale moves a thin card far', 'outlier && Math.abs(residual) > params.wildDistance', 'false'],
      ['a sale outside the range narrows it', 'joint.weight < 1 &&', 'false &&'],
    ],
  ),
  ...mutantsOf(
    model('noise.ts'),
    [model('model-noise.test.ts')],
    [
      [
        'noise is measured against the game’s own mean',
        'params.gameNoisePseudoSales, 1, params.noiseMean',
        'params.gameNoisePseudoSales, 1, game.noise.mean || 1',
      ],
      [
        'grades are as noisy as their game',
        'params.gradeNoisePseudoSales, ofGame, params',
        'params.gradeNoisePseudoSales, 1, params',
      ],
      ['noise is heard as if the level were known', 'const total = variance + noise', 'const total = noise'],
      ['old noise never fades', 'Math.min(most, noise.count + 1)', 'noise.count + 1'],
    ],
  ),
  ...mutantsOf(
    model('calibration.ts'),
    [model('calibration.test.ts')],
    [
      ['a quote has no factor of its price', ' * factors[bucketOf(logPrice)]!, start: START', ', start: START'],
      ['quantiles learn without the factor', 'const ratio = u / bucket.factor;', 'const ratio = u;'],
      [
        'days of version 2 have the strata of version 3',
        'quantiles80[stratumOfVersion2(ownSales',
        'quantiles80[stratumOf(ownSales',
      ],
    ],
  ),
  ...mutantsOf(
    'pricing/store/snapshot-bytes.ts',
    [model('version-2.test.ts')],
    [['snapshots of version 2 wander as those of version 3', '{ levelPerDay: 0.016 ** 2', '{ levelPerDay: 0.014 ** 2']],
  ),
  ...mutantsOf(
    'pricing/store/card-bytes.ts',
    [model('properties.test.ts')],
    [
      ['an outlier without reports breaks its card', '1 + pending.reports.length', 'pending.reports.length'],
      [
        'noise of version 2 is taken for that of version 3',
        '    card.noiseCount = 0;\n    card.noiseSum = 0;\n',
        '',
        [model('version-2.test.ts')],
      ],
    ],
  ),
];
