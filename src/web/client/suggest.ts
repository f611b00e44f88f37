import { counted } from '../../lib/counted.ts';
import type { Suggestion } from '../search/search-suggest.ts';

/** Shows cards under a search field while it is typed in: a combobox (WAI-ARIA), by pointer and by keyboard. */

const PAUSE_MS = 140;
const MIN_CHARS = 2;

for (const input of document.querySelectorAll<HTMLInputElement>('.search input[name="q"]')) suggestFor(input);

function suggestFor(input: HTMLInputElement): void {
  const list = document.createElement('ul');
  list.className = 'suggestions';
  list.id = `${input.id}-suggestions`;
  list.hidden = true;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Cards');
  const status = document.createElement('span');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  input.after(list, status);
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-controls', list.id],
    ['aria-expanded', 'false'],
  ] as const)
    input.setAttribute(name, value);

  let timer = 0;
  let request: AbortController | undefined;
  let active = -1;

  const options = () => [...list.children] as HTMLElement[];
  const close = () => {
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const activate = (to: number) => {
    const all = options();
    active = to;
    all.forEach((option, at) => {
      option.setAttribute('aria-selected', String(at === to));
    });
    const option = all[to];
    if (option === undefined) input.removeAttribute('aria-activedescendant');
    else {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };

  async function update(): Promise<void> {
    request?.abort();
    request = new AbortController();
    const q = input.value.trim();
    if (q.length < MIN_CHARS) {
      close();
      return;
    }
    try {
      const answer = await fetch(`/search/suggest.json?${new URLSearchParams({ q })}`, { signal: request.signal });
      if (!answer.ok) return;
      const { suggestions } = (await answer.json()) as { suggestions: Suggestion[] };
      if (document.activeElement === input) show(suggestions);
    } catch {
      // Aborted by the next letter, or offline: the form still searches.
    }
  }

  function show(suggestions: readonly Suggestion[]): void {
    list.replaceChildren(...suggestions.map(optionOf));
    activate(-1);
    list.hidden = suggestions.length === 0;
    input.setAttribute('aria-expanded', String(!list.hidden));
    status.textContent = list.hidden ? '' : `${counted(suggestions.length, 'card')} suggested`;
  }

  function worded({ text, lang }: Suggestion['name']): HTMLElement {
    const part = document.createElement('bdi');
    part.textContent = text;
    if (lang !== undefined) part.lang = lang;
    return part;
  }

  function optionOf({ name, facts, href }: Suggestion, at: number): HTMLElement {
    const option = document.createElement('li');
    option.id = `${list.id}-${at}`;
    option.setAttribute('role', 'option');
    option.dataset.href = href;
    const which = document.createElement('span');
    which.className = 'suggestion-facts';
    which.append(...facts.flatMap((fact, at) => (at === 0 ? [worded(fact)] : [' ', worded(fact)])));
    option.append(worded(name), which);
    return option;
  }

  const go = (option: HTMLElement) => {
    location.href = option.dataset.href!;
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(update, PAUSE_MS);
  });
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const all = options();
    if (event.key === 'ArrowDown') activate(active === all.length - 1 ? -1 : active + 1);
    else if (event.key === 'ArrowUp') activate(active === -1 ? all.length - 1 : active - 1);
    else if (event.key === 'Escape') close();
    else if (event.key === 'Enter' && active !== -1) go(all[active]!);
    else return;
    event.preventDefault();
  });
  input.addEventListener('blur', close);
  // Before the field loses the focus, and the list with it.
  list.addEventListener('pointerdown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = (event.target as Element).closest<HTMLElement>('[role="option"]');
    if (option) go(option);
  });
}
