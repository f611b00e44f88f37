/** On the scan page: shows the photo, follows its stages, and outlines the cards found. */
import { readEvents } from './lib/post-events.ts';
import { followStages, type StageNews } from './lib/stage-list.ts';

type Quads = { width: number; height: number; quads: [number, number][][] };

const form = document.querySelector<HTMLFormElement>('.scan-form')!;
const input = document.querySelector<HTMLInputElement>('#photo')!;
const figure = document.querySelector<HTMLElement>('.scan-photo')!;
const canvas = document.querySelector<HTMLCanvasElement>('#scan-canvas')!;
const stages = document.querySelector<HTMLOListElement>('#scan-stages')!;
const result = document.querySelector<HTMLElement>('#scan-result')!;
/** Longest side that is shown, in pixels of the canvas. */
const SHOWN_PX = 900;
let photo: ImageBitmap | null = null;

input.addEventListener('change', () => void showPhoto(input.files?.[0]));

form.addEventListener('submit', (event) => {
  const button = (event as SubmitEvent).submitter as HTMLButtonElement | null;
  const file = input.files?.[0];
  const address = button?.dataset.events ?? form.querySelector<HTMLButtonElement>('[data-events]')!.dataset.events!;
  if (file === undefined) return;
  event.preventDefault();
  void look(file, address);
});

for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-sample]'))
  link.addEventListener('click', (event) => {
    event.preventDefault();
    void trySample(link.href);
  });

/** A sample photo, as if it had been chosen. */
async function trySample(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) return location.assign(address);
  const chosen = new DataTransfer();
  chosen.items.add(new File([await response.blob()], 'sample.jpg', { type: 'image/jpeg' }));
  input.files = chosen.files;
  const file = chosen.files[0]!;
  await showPhoto(file);
  await look(file, form.querySelector<HTMLButtonElement>('[data-events]')!.dataset.events!);
}

async function showPhoto(file: File | undefined): Promise<void> {
  figure.hidden = true;
  result.replaceChildren();
  stages.hidden = true;
  if (file === undefined) return;
  try {
    photo = await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    // The server reports the fault.
    photo = null;
    return;
  }
  const scale = Math.min(1, SHOWN_PX / Math.max(photo.width, photo.height));
  canvas.width = Math.round(photo.width * scale);
  canvas.height = Math.round(photo.height * scale);
  figure.hidden = false;
  draw([]);
}

async function look(file: File, address: string): Promise<void> {
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  result.replaceChildren();
  stages.replaceChildren();
  stages.hidden = false;
  const show = followStages(stages);
  try {
    for await (const { name, data } of readEvents(address, file)) {
      if (name === 'progress') {
        show(data as StageNews);
        const found = (data as { data?: Quads }).data;
        if (found?.quads) draw(found.quads, found.width);
      } else if (name === 'result') {
        // Written by our server, which escapes every word of others.
        result.innerHTML = (data as { html: string }).html;
        stages.hidden = true;
      } else show({ stage: 'failed', status: 'error', message: (data as { detail: string }).detail });
    }
  } catch (error) {
    show({ stage: 'failed', status: 'error', message: (error as Error).message });
  } finally {
    for (const button of buttons) button.disabled = false;
  }
}

/** The photo with outlines; `width` is that of the photo in whose pixels the corners are. */
function draw(quads: [number, number][][], width = canvas.width): void {
  const ink = canvas.getContext('2d')!;
  if (photo !== null) ink.drawImage(photo, 0, 0, canvas.width, canvas.height);
  const scale = canvas.width / width;
  const color = getComputedStyle(document.documentElement).getPropertyValue('--accent');
  for (const [at, quad] of quads.entries()) {
    ink.beginPath();
    for (const [x, y] of quad) ink.lineTo(x * scale, y * scale);
    ink.closePath();
    // A dark line under a bright one is seen on any photo.
    for (const [lineWidth, strokeStyle] of [
      [7, '#000a'],
      [3, at === 0 ? color : '#fff'],
    ] as const) {
      ink.lineWidth = lineWidth;
      ink.strokeStyle = strokeStyle;
      ink.stroke();
    }
  }
}
