import { counted } from '../../lib/counted.ts';
/** The watchlist page: value, change and cost of the cards that this browser keeps, and the list as a file. */
import { factsOf, gradeName } from '../card/card-facts.ts';
import { langOf } from '../card/script-language.ts';
import { keepWatched, parseWatched, readWatched, textOf, type Watched } from './lib/watch-list.ts';

type Summary = {
  id: string;
  name: string;
  setName: string | null;
  printedNumber: string | null;
  variation: string | null;
  language: string | null;
  gradeLabel: string | null;
  priceUsdCents: number | null;
  deltaPct: number | null;
  href: string;
};

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const usd = (cents: number) => dollars.format(cents / 100);
const part = <Kind extends HTMLElement>(id: string) => document.getElementById(id) as Kind;

const body = part('watch-rows');
const said = part('watch-said');
let known = new Map<string, Summary>();

part('watch').hidden = false;
part('watch-needs').hidden = true;
part('watch-export').addEventListener('click', saveFile);
part<HTMLInputElement>('watch-import').addEventListener('change', readFile);
void load();

async function load(): Promise<void> {
  const list = readWatched();
  if (list.length > 0) {
    const answer = await fetch(`/v1/items/summaries?ids=${list.map(({ id }) => id).join(',')}`).catch(() => null);
    if (answer === null || !answer.ok) {
      said.textContent = 'The prices could not be loaded. Reload the page to try again.';
      return;
    }
    known = new Map(((await answer.json()) as Summary[]).map((one) => [one.id, one]));
  }
  show(list);
}

function show(list: readonly Watched[]): void {
  part('watch-empty').hidden = list.length > 0;
  part('watch-list').hidden = list.length === 0;
  part('watch-export').hidden = list.length === 0;
  body.replaceChildren(...list.map(rowOf));
  showTotals(list);
}

function rowOf(watched: Watched): HTMLTableRowElement {
  const card = known.get(watched.id);
  const row = document.createElement('tr');
  const name = cell('th', '');
  name.scope = 'row';
  if (card === undefined) name.append('This card is no longer in the catalog');
  else {
    const link = document.createElement('a');
    link.href = card.href;
    link.className = 'row-link';
    link.textContent = card.name;
    link.lang = langOf(card.name, card.language) ?? '';
    const note = document.createElement('span');
    note.className = 'row-note';
    note.textContent = [card.gradeLabel && gradeName(card.gradeLabel), factsOf(card)].filter(Boolean).join(' · ');
    name.append(link, note);
  }
  const title = card?.name ?? 'this card';
  row.append(
    name,
    cell('td', 'num', card?.priceUsdCents == null ? 'No price' : usd(card.priceUsdCents)),
    cell('td', 'num wide-only', card?.deltaPct == null ? '–' : percent(card.deltaPct)),
    fieldCell('Quantity', '1', watched.quantity, `Quantity of ${title}`, (value) => {
      if (Number.isInteger(value) && value >= 1 && value <= 9999) change(watched.id, { quantity: value });
    }),
    fieldCell(
      'Cost each',
      '0.01',
      watched.costUsdCents === null ? null : watched.costUsdCents / 100,
      `Cost of one ${title}, US dollars`,
      (value) =>
        change(watched.id, { costUsdCents: Number.isNaN(value) ? null : Math.round(Math.max(0, value) * 100) }),
    ),
    removeCell(watched, title),
  );
  return row;
}

function percent(value: number): string {
  return `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(value).toFixed(1)}%`;
}

function cell<Tag extends 'td' | 'th'>(tag: Tag, classes: string, text = ''): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  made.className = classes;
  made.textContent = text;
  return made;
}

function fieldCell(head: string, step: string, value: number | null, label: string, take: (value: number) => void) {
  const input = document.createElement('input');
  Object.assign(input, { type: 'number', step, min: '0', value: value === null ? '' : String(value) });
  input.setAttribute('aria-label', label);
  input.addEventListener('change', () => take(input.valueAsNumber));
  const made = cell('td', 'num');
  made.dataset.head = head;
  made.append(input);
  return made;
}

function removeCell({ id }: Watched, title: string) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button-quiet';
  button.textContent = '✕';
  button.setAttribute('aria-label', `Remove ${title}`);
  button.addEventListener('click', () => {
    const rest = readWatched().filter((one) => one.id !== id);
    keepWatched(rest);
    show(rest);
    said.textContent = `${title} is no longer on the list.`;
    part('watch-export').focus();
  });
  const made = cell('td', 'num');
  made.append(button);
  return made;
}

function change(id: string, changed: Partial<Watched>): void {
  const list = readWatched().map((one) => (one.id === id ? { ...one, ...changed } : one));
  keepWatched(list);
  showTotals(list);
}

function showTotals(list: readonly Watched[]): void {
  let [value, before, cost, valueOfCosted, unpriced] = [0, 0, 0, 0, 0];
  let isCosted = false;
  for (const { id, quantity, costUsdCents } of list) {
    const { priceUsdCents = null, deltaPct = null } = known.get(id) ?? {};
    if (priceUsdCents === null) {
      unpriced++;
      continue;
    }
    value += priceUsdCents * quantity;
    before += (priceUsdCents * quantity) / (1 + (deltaPct ?? 0) / 100);
    if (costUsdCents === null) continue;
    isCosted = true;
    cost += costUsdCents * quantity;
    valueOfCosted += priceUsdCents * quantity;
  }
  part('watch-value').textContent = usd(value);
  part('watch-move').textContent = before === 0 ? '–' : percent((value / before - 1) * 100);
  part('watch-gain').textContent = isCosted ? signed(valueOfCosted - cost) : '–';
  part('watch-unpriced').textContent = unpriced === 0 ? '' : `${unpriced} without a price`;
}

function signed(cents: number): string {
  return `${cents > 0 ? '+' : cents < 0 ? '−' : ''}${usd(Math.abs(cents))}`;
}

function saveFile(): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([textOf(readWatched())], { type: 'application/json' }));
  link.download = 'watchlist.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

async function readFile(event: Event): Promise<void> {
  const input = event.target as HTMLInputElement;
  const file = input.files?.[0];
  if (file === undefined) return;
  try {
    const read = parseWatched(await file.text());
    // What the file has of a card counts; the others stay.
    const merged = new Map([...readWatched(), ...read].map((one) => [one.id, one]));
    const list = parseWatched(textOf([...merged.values()]));
    keepWatched(list);
    await load();
    said.textContent = `${counted(read.length, 'card')} read; ${list.length} on the list.`;
  } catch {
    said.textContent = 'This file is not a watchlist. Choose one that was saved here.';
  }
  input.value = '';
}
