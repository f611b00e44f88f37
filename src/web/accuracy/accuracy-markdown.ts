import { isGame } from '../../catalog/games.ts';
import { type AccuracyRow, accuracyFigures } from '../../pricing/accuracy/accuracy-routes.ts';
import { count, percentMove, percentOf } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { coverageOf, GROUPINGS, groupName, methodsOf, resultOf, searchOf } from './accuracy-words.ts';

/** `/accuracy.md`: the same as Markdown. */
export const accuracyMarkdown: Page = {
  path: '/accuracy.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const game = query.get('game');
    const selected = game !== null && isGame(game) ? { game } : {};
    const body = await accuracyFigures(context, selected);
    const { baseUrl } = context.config;
    const search = searchOf(selected);
    const { all, leastSales, voidedSales, recomputedThrough, modelVersion } = body;
    const methods = [
      `| Forecast by | Median error | Bias | Within 10% | Within 20% |`,
      '|---|--:|--:|--:|--:|',
      ...methodsOf(all).map(
        (one) =>
          `| ${one.method} | ${percentOf(one.mdape)} | ${percentMove(one.bias)} | ${percentOf(one.within10)} | ${percentOf(one.within20)} |`,
      ),
      '',
      `Sales in range: ${coverageOf(all)
        .map(({ rangePct, held }) => `${rangePct}%: ${percentOf(held)}`)
        .join(', ')}.`,
      '',
    ];
    const groups = GROUPINGS.flatMap(([grouping, title]) => [
      `## ${title}`,
      '',
      '| Group | Sales | Median error | Bias | In 80% range |',
      '|---|--:|--:|--:|--:|',
      ...body.groups[grouping].map(groupRow),
      '',
    ]);
    const text = [
      '# How accurate our prices are',
      '',
      ...(body.simulated ? ['**These sales are simulated**: no figure is of a real market.', ''] : []),
      escaped(resultOf(body)),
      '',
      ...(all.mdape !== null ? [...methods, ...groups] : []),
      `Groups of fewer than ${leastSales} sales have no figure. Voided or corrected later, and not counted: ${count(voidedSales)}.`,
      ...(recomputedThrough === null
        ? []
        : [`Scores through ${recomputedThrough} were computed again by version ${modelVersion} of the model.`]),
      '',
      `[Page](${baseUrl}/accuracy${search}), [CSV](${baseUrl}/v1/accuracy.csv${search}), [JSON](${baseUrl}/v1/accuracy${search})`,
      '',
    ].join('\n');
    return { body: text, canonical: `${baseUrl}/accuracy${search}` };
  },
};

function groupRow(row: AccuracyRow): string {
  const { group, n, mdape, bias, coverage80 } = row;
  const figures =
    mdape === null ? 'too few | – | –' : `${percentOf(mdape)} | ${percentMove(bias!)} | ${percentOf(coverage80!)}`;
  return `| ${groupName(group)} | ${count(n)} | ${figures} |`;
}
