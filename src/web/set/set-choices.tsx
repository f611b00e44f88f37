import type { Language } from '../../catalog/languages.ts';
import { SET_SORTS, type SetSort } from '../../items/sets/set-entries.ts';
import type { SetOverview } from '../../items/sets/set-overview.ts';
import { type Chip, Chips } from '../chips.tsx';
import { count } from '../format.ts';
import { addressOf, fieldsOf, SET_LAYOUTS, type SetChoice, type SetLayout } from './set-choice.ts';

const SORT_NAMES: Record<SetSort, string> = {
  number: 'Number',
  price: 'Highest price',
  move: 'Biggest 7-day move',
  name: 'Name',
};
const VIEW_NAMES: Record<SetLayout, string> = { pictures: 'Pictures', list: 'List' };

type Shown = {
  href: string;
  choice: SetChoice;
  /** As shown, whether the address or the set chose them. */
  sort: SetSort;
  view: SetLayout;
  overview: SetOverview;
};

/** The filter, the orders and the views of a set; nothing for a set of one card. */
export function Choices({ href, choice, sort, view, overview }: Shown) {
  if (overview.itemCount === 1) return null;
  const chip = (name: string, change: Partial<SetChoice>, isCurrent: boolean, size?: number): Chip => ({
    href: addressOf(href, { ...choice, page: 1, ...change }),
    name,
    size,
    isCurrent,
  });
  const { languages, pricedItemCount, hasMoves } = overview;
  const useful: Record<SetSort, boolean> = {
    number: true,
    name: true,
    price: pricedItemCount > 1,
    move: hasMoves,
  };
  return (
    <div class="list-choices">
      <Filter href={href} choice={choice} overview={overview} />
      <div class="list-chips">
        <nav aria-label="Order">
          <Chips
            links={SET_SORTS.filter((one) => useful[one]).map((one) =>
              chip(SORT_NAMES[one], { sort: one }, one === sort),
            )}
          />
        </nav>
        <nav aria-label="View">
          <Chips links={SET_LAYOUTS.map((one) => chip(VIEW_NAMES[one], { view: one }, one === view))} />
        </nav>
      </div>
      {languages.size > 1 && (
        <nav aria-label="Languages">
          <Chips
            links={[
              chip('All languages', { language: null }, choice.language === null),
              ...[...languages]
                .sort(([a, itemsA], [b, itemsB]) => itemsB - itemsA || (a < b ? -1 : 1))
                .map(([language, items]) =>
                  chip(language, { language: language as Language }, language === choice.language, items),
                ),
            ]}
          />
        </nav>
      )}
    </div>
  );
}

function Filter({ href, choice, overview }: Pick<Shown, 'href' | 'choice' | 'overview'>) {
  const { rarities, pricedItemCount, itemCount } = overview;
  // What the form does not ask for stays chosen.
  const kept = fieldsOf({ ...choice, filter: '', rarity: null, pricedOnly: false, page: 1 });
  const isFiltered = choice.filter !== '' || choice.rarity !== null || choice.pricedOnly || choice.isUnfolded;
  return (
    <form class="list-filter" action={href} method="get" aria-label="Filter this set">
      <label>
        <span class="unseen">Name, number or variation</span>
        <input
          type="search"
          name="q"
          value={choice.filter}
          maxLength={80}
          placeholder="Name, #number or variation"
          autocomplete="off"
        />
      </label>
      {rarities.size > 1 && (
        <label>
          <span class="unseen">Rarity</span>
          <select name="rarity">
            <option value="">All rarities</option>
            {[...rarities].map(([rarity, items]) => (
              <option key={rarity} value={rarity} selected={rarity === choice.rarity}>
                {rarity} ({count(items)})
              </option>
            ))}
          </select>
        </label>
      )}
      {pricedItemCount > 0 && pricedItemCount < itemCount && (
        <label>
          <input type="checkbox" name="priced" value="1" checked={choice.pricedOnly} /> Only priced
        </label>
      )}
      {Object.entries(kept).map(
        ([name, value]) => value && <input key={name} type="hidden" name={name} value={value} />,
      )}
      <button type="submit">Filter</button>
      {isFiltered && (
        <a
          href={addressOf(href, { ...choice, filter: '', rarity: null, pricedOnly: false, isUnfolded: false, page: 1 })}
        >
          Show all
        </a>
      )}
    </form>
  );
}
