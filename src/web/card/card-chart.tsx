import { renderToString } from 'preact-render-to-string';
import { gradeByKey } from '../../catalog/grades.ts';
import { invalidValue, notFound } from '../../http/problem.ts';
import { itemHref } from '../../items/item-row.ts';
import { assertInCatalog } from '../../items/withdrawn.ts';
import { Chart } from '../chart.tsx';
import type { Page } from '../page.ts';
import { locateCard } from './card.tsx';
import { historyOf, WINDOWS, windowOf } from './card-history.ts';

/** `/card/{game}/{set}/{card}/chart?window=`: the chart of a graded card alone, for its page's script to put in. */
export const cardChart: Page = {
  path: '/card/:game/:set/:card/chart',
  type: 'text/html',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const window = windowOf(query.get('window'));
    if (window === null) throw invalidValue('window', `one of ${WINDOWS.join(', ')}`, query.get('window'));
    const found = await locateCard(context, params, '/chart');
    if ('movedTo' in found) return found;
    const { item, gradeKey } = found;
    await assertInCatalog(context.db, item);
    if (gradeKey === null) throw notFound('Only a card at a grade has a chart.');
    const { chart, recorded } = await historyOf(context, found, window);
    const figure = (
      <Chart
        href={itemHref(item, gradeKey)}
        name={`${item.name}, ${gradeByKey(gradeKey)!.label}`}
        window={window}
        data={chart}
        salesLeftOut={recorded.total - recorded.trades.length}
      />
    );
    return { body: renderToString(figure) };
  },
};
