import { itemHref } from '../../items/item-row.ts';
import type { Located } from '../../items/locate/locate.ts';
import { siblingsOf } from '../../items/siblings.ts';
import { replacementOf } from '../../items/withdrawn.ts';
import type { WebContext } from '../context.ts';
import { SearchForm, Section } from '../layout.tsx';
import type { PageAnswer } from '../page.ts';
import { Day } from '../price.tsx';
import { siteOf } from '../site/site.ts';
import { SimilarCards, similarTo } from './card-frame.tsx';
import { trailOf } from './card-words.ts';
import { Name } from './name.tsx';

/** The page of a card that its catalog no longer has: since when, and where to go on. */
export async function withdrawnPage(context: WebContext, located: Located): Promise<PageAnswer> {
  const { item } = located;
  const [neighbours, siblings, replacedBy] = await Promise.all([
    similarTo(context.db, item),
    siblingsOf(context.db, item),
    replacementOf(context.db, item),
  ]);
  const site = siteOf(context);
  const path = itemHref(item, null);
  return {
    status: 410,
    title: `${item.name} was withdrawn`,
    description: 'This card is no longer in the catalog.',
    path,
    isHidden: true,
    hasSearch: true,
    section: 'cards',
    trail: trailOf(item, path),
    main: (
      <div class="wrap card-page">
        <div class="page-head prose">
          <h1>
            <Name language={item.language}>{item.name}</Name> was withdrawn
          </h1>
          <p>
            This card was removed from the catalog on <Day iso={item.removed_at!.toISOString()} />, either as a
            duplicate or because it does not exist. It no longer has a price.
          </p>
          {replacedBy !== null && (
            <p>
              <a href={replacedBy}>The card that took its place</a>
            </p>
          )}
          <SearchForm query={item.name.slice(0, 80)} isLarge />
        </div>
        {siblings.length > 0 && (
          <Section id="siblings" title="Other printings with this number">
            <ul class="printings">
              {siblings.map((one) => (
                <li key={one.id}>
                  <a href={itemHref(one, null)}>{[one.name, one.variation, one.language].filter(Boolean).join(', ')}</a>
                </li>
              ))}
            </ul>
          </Section>
        )}
        <SimilarCards site={site} cards={neighbours} />
      </div>
    ),
  };
}
