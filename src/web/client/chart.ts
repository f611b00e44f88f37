/** Reads single days off a chart, by pointer and keys, and swaps its window in place. The page is complete without it. */

/** Where a day is, and its texts in the readout: y is in pixels. */
type Reading = [left: `${number}%`, y: number, ...texts: string[]];

/** Page Up and Page Down go by this part of the days. */
const PAGE = 1 / 12;

for (const figure of document.querySelectorAll<HTMLElement>('.chart')) enhance(figure);

function enhance(figure: HTMLElement): void {
  const readings = JSON.parse(figure.querySelector('script')?.textContent ?? '[]') as Reading[];
  if (readings.length > 0) readByDay(figure, readings);
  for (const link of figure.querySelectorAll<HTMLAnchorElement>('.chart-windows a')) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void swap(figure, link);
    });
  }
}

/** Swaps in the chart of another window; on failure the link is followed. */
async function swap(figure: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  figure.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(link.pathname + link.search);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = document.adoptNode(parsed.querySelector<HTMLElement>('.chart')!);
    figure.replaceWith(next);
    history.replaceState(null, '', link.href);
    next.querySelector<HTMLAnchorElement>('.chart-windows [aria-current]')?.focus();
    enhance(next);
  } catch {
    location.href = link.href;
  }
}

/** Makes the plot a slider over the days: the current day is announced and shown above it. */
function readByDay(figure: HTMLElement, readings: readonly Reading[]): void {
  const plot = figure.querySelector<SVGSVGElement>('.chart-svg')!;
  const readout = figure.querySelector<HTMLElement>('.chart-readout')!;
  const parts = readout.querySelectorAll<HTMLElement>('[data-reading]');
  const cursor = plot.querySelector<SVGSVGElement>('.chart-cursor')!;
  const dot = cursor.querySelector('circle')!;
  const newest = readings.length - 1;
  const page = Math.ceil(newest * PAGE);
  let at = newest;

  function show(index: number): void {
    at = Math.max(0, Math.min(newest, index));
    const [left, y, ...texts] = readings[at]!;
    for (const [i, part] of parts.entries()) part.textContent = texts[i]!;
    cursor.setAttribute('x', left);
    dot.setAttribute('cy', String(y));
    cursor.setAttribute('visibility', 'visible');
    plot.setAttribute('aria-valuenow', String(at));
    // A slider's value text is announced when it changes: a live region would repeat it.
    plot.setAttribute('aria-valuetext', readout.textContent!);
  }

  function hide(): void {
    show(newest);
    cursor.setAttribute('visibility', 'hidden');
  }

  plot.setAttribute('aria-description', plot.getAttribute('aria-label')!);
  plot.setAttribute('aria-label', 'Day of the chart');
  plot.setAttribute('role', 'slider');
  plot.setAttribute('tabindex', '0');
  plot.setAttribute('aria-valuemin', '0');
  plot.setAttribute('aria-valuemax', String(newest));
  hide();
  plot.addEventListener('pointermove', (event) => {
    const { left, width } = plot.getBoundingClientRect();
    show(nearest(readings, ((event.clientX - left) / width) * 100));
  });
  plot.addEventListener('pointerleave', hide);
  plot.addEventListener('blur', hide);
  plot.addEventListener('focus', () => show(at));
  plot.addEventListener('keydown', (event) => {
    const to: Record<string, number> = {
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      PageDown: at - page,
      PageUp: at + page,
      Home: 0,
      End: newest,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    show(index);
  });
}

function nearest(readings: readonly Reading[], percent: number): number {
  const distances = readings.map(([left]) => Math.abs(Number.parseFloat(left) - percent));
  return distances.indexOf(Math.min(...distances));
}
