/** On the scan page: shows the photo with a number on each card, follows the stages, and leads from numbers to results. */
import { isInside, type Quads, readPhotoCanvas } from './lib/photo-canvas.ts';
import { readEvents } from './lib/post-events.ts';
import { followStages, type StageNews } from './lib/stage-list.ts';

const form = document.querySelector<HTMLFormElement>('.scan-form')!;
const input = document.querySelector<HTMLInputElement>('#photo')!;
const camera = document.querySelector<HTMLInputElement>('#camera')!;
const view = document.querySelector<HTMLElement>('.scan-view')!;
const figure = document.querySelector<HTMLElement>('.scan-photo')!;
const stages = document.querySelector<HTMLOListElement>('#scan-stages')!;
const result = document.querySelector<HTMLElement>('#scan-result')!;
const photo = readPhotoCanvas(document.querySelector<HTMLCanvasElement>('#scan-canvas')!);
let found: Quads | null = null;

input.addEventListener('change', () => void showPhoto(input.files?.[0]));

form.addEventListener('submit', (event) => {
  const file = input.files?.[0];
  if (file === undefined) return;
  event.preventDefault();
  void look(file);
});

// A computer's camera is a file dialog too: only phones and tablets have a button of their own.
if (matchMedia('(pointer: coarse)').matches) camera.parentElement!.hidden = false;
camera.addEventListener('change', () => take(camera.files));

for (const name of ['dragover', 'drop'] as const)
  form.addEventListener(name, (event) => {
    event.preventDefault();
    if (name === 'drop') take(event.dataTransfer?.files ?? null);
  });

for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-sample]'))
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void trySample(link.href);
  });

/** A photo from the camera, or dropped here: chosen and scanned. */
function take(files: FileList | null): void {
  if (files === null || files.length === 0) return;
  input.files = files;
  void showPhoto(files[0]).then(() => look(files[0]!));
}

/** A sample photo, as if it had been chosen. */
async function trySample(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) return location.assign(address);
  takeBlob(await response.blob());
}

function takeBlob(blob: Blob): void {
  const chosen = new DataTransfer();
  chosen.items.add(new File([blob], 'photo.jpg', { type: 'image/jpeg' }));
  take(chosen.files);
}

async function showPhoto(file: File | undefined): Promise<void> {
  found = null;
  figure.hidden = true;
  result.replaceChildren();
  stages.hidden = true;
  // The server reports a file that is not a photo.
  figure.hidden = file === undefined || !(await photo.show(file));
}

async function look(file: File): Promise<void> {
  const button = form.querySelector('button')!;
  button.disabled = true;
  result.replaceChildren();
  stages.replaceChildren();
  stages.hidden = false;
  view.classList.add('is-busy');
  document.querySelector('.scan-samples')?.remove();
  view.scrollIntoView({ block: 'start', behavior: 'smooth' });
  const show = followStages(stages);
  const fail = (message: string) => show({ stage: 'failed', status: 'error', message });
  try {
    for await (const { name, data } of readEvents(form.dataset.events!, file)) {
      if (name === 'progress') {
        show(data as StageNews);
        outline((data as { data?: Quads }).data);
      } else if (name === 'result') showResult((data as { html: string }).html);
      else fail((data as { detail: string }).detail);
    }
  } catch (error) {
    fail((error as Error).message);
  } finally {
    button.disabled = false;
    view.classList.remove('is-busy');
  }
}

function outline(quads: Quads | undefined): void {
  if (quads?.quads === undefined) return;
  found = quads;
  photo.draw(quads);
}

/** The result is written by our server, which escapes every word of others. */
function showResult(html: string): void {
  result.innerHTML = html;
  stages.hidden = true;
  view.classList.toggle('has-many', (found?.quads.length ?? 0) > 1);
  for (const button of result.querySelectorAll<HTMLButtonElement>('[data-box]')) {
    button.hidden = false;
    button.addEventListener('click', () => void scanBox(Number(button.dataset.box)));
  }
}

// A number on the photo leads to its card in the list, or to its button.
photo.canvas.addEventListener('click', (event) => {
  const at = found?.quads.findIndex((quad) => isInside(photo.pointOf(event, found!), quad)) ?? -1;
  if (at === -1) return;
  const target = document.getElementById(`scan-${at + 1}`) ?? result.querySelector(`[data-box="${at}"]`);
  target?.scrollIntoView({ block: 'center', behavior: 'smooth' });
  target?.classList.add('scan-shown');
  setTimeout(() => target?.classList.remove('scan-shown'), 2000);
});

async function scanBox(at: number): Promise<void> {
  takeBlob(await photo.part(found!, at));
}
