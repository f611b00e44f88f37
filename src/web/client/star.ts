/** Runs on every page: a star on each card that keeps it in the watchlist. Without scripts there is no star. */
import { keepWatched, MAX_WATCHED, readWatched } from './lib/watch-list.ts';

const blank = document.createElement('button');
blank.type = 'button';
blank.className = 'star';
const word = document.createElement('span');
word.textContent = 'Watch';
blank.append('☆', word);

// Read once: a page has a hundred cards, and the list may be long.
const watched = new Set(readWatched().map(({ id }) => id));
for (const card of document.querySelectorAll<HTMLElement>('[data-item]')) {
  const button = blank.cloneNode(true) as HTMLButtonElement;
  button.setAttribute('aria-label', `Watch ${card.dataset.name}`);
  show(button, watched.has(card.dataset.item!));
  card.append(button);
}

function show(button: HTMLButtonElement, isWatched: boolean): void {
  button.setAttribute('aria-pressed', String(isWatched));
  button.title = isWatched ? 'On your watchlist' : 'Add to your watchlist';
  button.firstChild!.textContent = isWatched ? '★' : '☆';
}

document.addEventListener('click', ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>('.star');
  const id = button?.closest<HTMLElement>('[data-item]')?.dataset.item;
  if (!button || id === undefined) return;
  const list = readWatched();
  const rest = list.filter((one) => one.id !== id);
  const isAdding = rest.length === list.length;
  if (isAdding && list.length >= MAX_WATCHED) {
    button.title = `The watchlist has ${MAX_WATCHED} cards, its limit`;
    return;
  }
  const next = isAdding ? [...rest, { id, quantity: 1, costUsdCents: null }] : rest;
  if (keepWatched(next)) show(button, isAdding);
  else button.title = 'Your browser does not let this site keep a watchlist';
});
