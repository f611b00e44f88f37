/** Starts a valuation with the form of the number, and shows it stage by stage on the slab's page. */
import { followStages } from './lib/stage-list.ts';

const form = document.querySelector<HTMLFormElement>('form[data-events]');

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const list = form.querySelector<HTMLOListElement>('.stages')!;
  const button = form.querySelector('button')!;
  button.disabled = true;
  form.classList.add('is-busy');
  const heading = document.querySelector('h1')!;
  const { textContent: before } = heading;
  if (form.dataset.heading !== undefined) heading.textContent = form.dataset.heading;
  list.hidden = false;
  list.replaceChildren();
  const source = new EventSource(form.dataset.events!);
  const show = followStages(list);
  source.addEventListener('progress', ({ data }) => show(JSON.parse(data)));
  source.addEventListener('result', () => {
    source.close();
    // The result is stored, so the page shows it.
    location.reload();
  });
  source.addEventListener('failed', ({ data }) => {
    source.close();
    show({ stage: 'failed', status: 'error', message: JSON.parse(data).detail, done: true });
    button.disabled = false;
    form.classList.remove('is-busy');
    if (form.dataset.heading !== undefined) heading.textContent = before;
  });
  source.addEventListener('error', () => {
    if (source.readyState !== EventSource.CLOSED) return;
    // Rejected before it began, such as for a spent budget: the form without scripts says why.
    form.submit();
  });
});

/** Set by the form of the number: the visitor has asked, so the slab's page starts at once. */
const ASKED = 'cert-asked';

document
  .querySelector<HTMLFormElement>('.cert-form')
  ?.addEventListener('submit', () => sessionStorage.setItem(ASKED, '1'));
if (sessionStorage.getItem(ASKED) !== null) {
  sessionStorage.removeItem(ASKED);
  form?.requestSubmit();
}
