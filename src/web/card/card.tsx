import { itemHref } from '../../items/item-row.ts';
import { findBySlug, type Located } from '../../items/locate/locate-slug.ts';
import { WINDOWS } from '../chart/chart-window.ts';
import type { WebContext } from '../context.ts';
import type { Page } from '../page.ts';
import { cardGradedPage } from './card-graded.tsx';
import { cardOnDayPage } from './card-on-day.tsx';
import { cardOverviewPage } from './card-overview.tsx';
import { withdrawnPage } from './card-withdrawn.tsx';

/** `/card/{game}/{set}/{card}`: a card at the grade that its address names, else over all its grades. */
export const card: Page = {
  path: '/card/:game/:set/:card',
  maxAgeSeconds: 60,
  async answer(context, { params, query }) {
    const found = await locateCard(context, params);
    if ('movedTo' in found) return found;
    if (found.item.removed_at !== null) return withdrawnPage(context, found);
    if (found.gradeKey === null) return cardOverviewPage(context, found, query);
    const on = query.get('on');
    return on !== null
      ? cardOnDayPage(context, found, on, query)
      : cardGradedPage(context, found, WINDOWS.find((one) => one === query.get('window')) ?? null, query);
  },
};

/**
 * The card of an address, withdrawn ones too, or its canonical address where the requested one is spelled differently;
 * `suffix` is that of the requested form, such as `.md`. Throws not_found with candidates.
 */
export async function locateCard(
  context: WebContext,
  { game, set, card }: Record<string, string>,
  suffix = '',
): Promise<Located | { movedTo: string }> {
  const located = await findBySlug(context.db, game!.toLowerCase(), set!.toLowerCase(), card!);
  const href = itemHref(located.item, located.gradeKey);
  return href === `/card/${game}/${set}/${card}` ? located : { movedTo: href + suffix };
}
