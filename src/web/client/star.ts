/** Runs on every page: a star on each card that keeps it in the watchlist. Without scripts there is no star. */
import { keepWatched, MAX_WATCHED, readWatched } from './lib/watch-list.ts';

for (const card of document.querySelectorAll<HTMLElement>('[data-item]')) addStar(card);

function addStar(card: HTMLElement): void {
  const { item: id, name } = card.dataset;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'star';
  const word = document.createElement('span');
  word.textContent = 'Watch';
  button.append('☆', word);
  const show = (isWatched: boolean) => {
    button.setAttribute('aria-pressed', String(isWatched));
    button.setAttribute('aria-label', `Watch ${name}`);
    button.title = isWatched ? 'On your watchlist' : 'Add to your watchlist';
    button.firstChild!.textContent = isWatched ? '★' : '☆';
  };
  show(readWatched().some((one) => one.id === id));
  button.addEventListener('click', () => {
    const list = readWatched();
    const rest = list.filter((one) => one.id !== id);
    const isAdding = rest.length === list.length;
    if (isAdding && list.length >= MAX_WATCHED) {
      button.title = `The watchlist has ${MAX_WATCHED} cards, its limit`;
      return;
    }
    const next = isAdding ? [...rest, { id: id!, quantity: 1, costUsdCents: null }] : rest;
    if (keepWatched(next)) show(isAdding);
    else button.title = 'Your browser does not let this site keep a watchlist';
  });
  card.append(button);
}
