import type { SetEntry } from '../../items/sets/set-entries.ts';
import { LIST_GRADES, type ListGrade } from '../../items/sets/set-overview.ts';
import { gradeName, lineOf, printingOf } from '../card/card-facts.ts';
import { AND } from '../card/card-facts-line.tsx';
import { Name } from '../card/name.tsx';
import { count, usdToTheCent } from '../format.ts';
import { Day, Move } from '../price.tsx';
import { Table, type TableColumn } from '../table.tsx';
import type { ShownEntry } from './read-set.ts';
import { addressOf, type SetChoice } from './set-choice.ts';

/** Short names of the grades that the list has columns for. */
export const GRADE_HEADS: Record<ListGrade, string> = {
  'raw-A': 'Raw',
  'psa-9': 'PSA 9',
  'psa-10': 'PSA 10',
};

type SetTableOf = {
  entries: readonly ShownEntry[];
  href: string;
  /** Of the set; its cards need not say it again. */
  language: string | null;
  choice: SetChoice;
  /** Without a price in the whole set the columns of prices are left out. */
  hasPrices: boolean;
  /** Grades at which some card of the set has a price: the others have no column. */
  pricedGrades: readonly string[];
};

/** Cards of a set as a checklist with their prices by grade. */
export function SetTable({ entries, hasPrices, pricedGrades, ...of }: SetTableOf) {
  const shown = LIST_GRADES.filter((gradeKey) => pricedGrades.includes(gradeKey));
  // The narrowest phones have room for two.
  const middle = shown.length > 2 ? shown[1]! : null;
  const columns: TableColumn<ShownEntry>[] = [
    { head: '#', classes: 'rank code', cell: ({ card }) => card.printedNumber },
    { head: 'Card', isName: true, cell: (entry) => <EntryName entry={entry} middle={middle} {...of} /> },
    ...(entries.some(({ card }) => card.rarity !== null) ? [RARITY] : []),
    ...(hasPrices ? priceColumns(shown, middle) : []),
  ];
  return <Table classes={`list-table set-table${hasPrices ? '' : ' narrow-table'}`} columns={columns} rows={entries} />;
}

const RARITY: TableColumn<ShownEntry> = {
  head: 'Rarity',
  classes: 'wide-only muted',
  cell: ({ card }) => card.rarity,
};

const SET_MOVE: TableColumn<ShownEntry> = {
  head: '7 days',
  classes: 'num wide-only',
  cell: ({ card }) => (card.priceUsdCents === null ? null : <Move percent={card.deltaPct} over="7 days" />),
};

function priceColumns(shown: readonly ListGrade[], middle: ListGrade | null): TableColumn<ShownEntry>[] {
  return [
    ...shown.map(
      (gradeKey): TableColumn<ShownEntry> => ({
        head: GRADE_HEADS[gradeKey],
        classes: gradeKey === middle ? 'num middle' : 'num',
        cell({ prices }) {
          const price = prices[LIST_GRADES.indexOf(gradeKey)] ?? null;
          return price === null ? <NoPrice /> : <a href={price.href}>{usdToTheCent(price.usdCents)}</a>;
        },
      }),
    ),
    SET_MOVE,
  ];
}

function NoPrice() {
  return (
    <span class="muted">
      <span aria-hidden="true">–</span>
      <span class="unseen">No price</span>
    </span>
  );
}

type EntryNameOf = Pick<SetTableOf, 'href' | 'language' | 'choice'> & { entry: ShownEntry; middle: ListGrade | null };

function EntryName({ entry, middle, href, language, choice }: EntryNameOf) {
  const { card, printings } = entry;
  const unseen = middle === null ? null : onlyPriceAt(middle, entry);
  const { variation } = card;
  const printing = printingOf({
    printedNumber: null,
    variation,
    language: card.language === language ? null : card.language,
  });
  return (
    <div class="watchable" data-item={card.id} data-name={lineOf(card)}>
      <a class="row-link" href={card.href}>
        <Name language={card.language}>{card.name}</Name>
      </a>
      <span class="row-note dotted">
        {card.printedNumber !== null && <span class="narrow-only">#{card.printedNumber}</span>}
        {printing !== '' && (
          <span>
            <Name language={card.language}>{printing.replaceAll(' · ', AND)}</Name>
          </span>
        )}
        {unseen !== null && (
          <span class="narrow-only number">
            {GRADE_HEADS[middle!]} {usdToTheCent(unseen)}
          </span>
        )}
        {isPricedElsewhere(entry) && (
          <span>
            {gradeName(card.gradeLabel!)} {usdToTheCent(card.priceUsdCents!)}
          </span>
        )}
        {card.lastSale !== undefined && (
          <span>
            {gradeName(card.gradeLabel!)}, last sale {usdToTheCent(card.lastSale.usdCents)},{' '}
            <Day iso={card.lastSale.soldAt.toISOString()} />
          </span>
        )}
        {printings > 1 && <a href={printingsHref(entry, href, choice)}>{foldedOf(entry)}</a>}
      </span>
    </div>
  );
}

/** The price at a grade, cents, of a card that has a price in no other column; else null. */
function onlyPriceAt(gradeKey: ListGrade, { prices }: SetEntry): number | null {
  const [only, ...others] = LIST_GRADES.filter((_, at) => prices[at] !== null);
  return only === gradeKey && others.length === 0 ? prices[LIST_GRADES.indexOf(only)]!.usdCents : null;
}

/** True of a card whose price is at a grade without a column. */
function isPricedElsewhere({ card, prices }: SetEntry): boolean {
  return card.priceUsdCents !== null && prices.every((price) => price === null);
}

/** Every printing of an entry, in the same set. */
function printingsHref({ card }: SetEntry, href: string, choice: SetChoice): string {
  const filter = [card.printedNumber === null ? '' : `#${card.printedNumber}`, card.name].filter(Boolean).join(' ');
  const { language, view } = choice;
  return addressOf(href, { filter: filter.slice(0, 80), language, view, sort: 'number', isUnfolded: true });
}

/** What is folded into an entry: `6 languages · 3 finishes`; nothing of a single printing. */
export function foldedOf({ printings, languages, variations }: SetEntry): string {
  if (printings === 1) return '';
  if (languages === 1) return `${count(printings)} printings`;
  const finishes = variations === 1 ? null : `${count(variations)} finishes`;
  return [`${count(languages)} languages`, finishes].filter(Boolean).join(' · ');
}
