import { isGame } from '../../catalog/games.ts';
import { accuracyBody, type GroupBody } from '../../pricing/accuracy/accuracy-routes.ts';
import { count, percentMove, percentOf } from '../format.ts';
import { escaped } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { enough, GROUPINGS, groupName, METHOD_NAMES, modelOf, resultOf, searchOf } from './accuracy-words.ts';

/** `/accuracy.md`: the same as Markdown. */
export const accuracyMarkdown: Page = {
  path: '/accuracy.md',
  type: 'text/markdown',
  maxAgeSeconds: 60,
  async answer(context, { query }) {
    const game = query.get('game');
    const selected = game !== null && isGame(game) ? { game } : {};
    const body = await accuracyBody(context, selected);
    const { baseUrl } = context.config;
    const search = searchOf(selected);
    const { all, leastSales, voidedSales, recomputedThrough, modelVersion } = body;
    const methods = [
      `| Forecast by | Median error | Bias | Within 10% | Within 20% |`,
      '|---|--:|--:|--:|--:|',
      ...(all.methods ?? []).map(
        (one) =>
          `| ${METHOD_NAMES[one.method]} | ${percentOf(one.mdApePct)} | ${percentMove(one.biasPct)} | ${percentOf(one.within10Pct)} | ${percentOf(one.within20Pct)} |`,
      ),
      '',
      `Sales in range: ${(all.coverage ?? []).map(({ rangePct, heldPct }) => `${rangePct}%: ${percentOf(heldPct)}`).join(', ')}.`,
      '',
    ];
    const groups = GROUPINGS.flatMap(([grouping, title]) => [
      `## ${title}`,
      '',
      '| Group | Sales | Median error | Bias | In 80% range |',
      '|---|--:|--:|--:|--:|',
      ...body[grouping].map(groupRow),
      '',
    ]);
    const text = [
      '# How accurate our prices are',
      '',
      ...(body.simulated ? ['**These sales are simulated**: no figure is of a real market.', ''] : []),
      escaped(resultOf(body)),
      '',
      ...(enough(body) ? [...methods, ...groups] : []),
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

function groupRow(group: GroupBody): string {
  const model = modelOf(group);
  const held = group.coverage?.find(({ rangePct }) => rangePct === 80);
  const figures =
    model === null || held === undefined
      ? 'too few | – | –'
      : `${percentOf(model.mdApePct)} | ${percentMove(model.biasPct)} | ${percentOf(held.heldPct)}`;
  return `| ${groupName(group.name)} | ${count(group.sales)} | ${figures} |`;
}
