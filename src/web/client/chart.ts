import { MS_PER_DAY } from '../../lib/day.ts';
import { CHART } from '../chart-shape.ts';
import { briefDay, usd } from '../format.ts';

/** Reads single days off a chart, by pointer and keys, and swaps its window in place. The page is whole without. */

type Line = readonly (readonly [day: number, usdCents: number, lowUsdCents: number, highUsdCents: number])[];
type Points = {
  fromDay: number;
  toDay: number;
  /** Of the lower and the upper edge. */
  edgesUsdCents: [low: number, high: number];
  line: Line;
  sales: readonly (readonly [day: number, usdCents: number])[];
};

/** Points that Page Up and Page Down go by. */
const PAGE = 30;

for (const figure of document.querySelectorAll<HTMLElement>('[data-chart]')) enhance(figure);

function enhance(figure: HTMLElement): void {
  const points = JSON.parse(figure.querySelector('script')?.textContent ?? 'null') as Points | null;
  if (points !== null && points.line.length > 0) readByDay(figure, points);
  for (const link of figure.querySelectorAll<HTMLAnchorElement>('[data-window]')) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void swap(figure, link);
    });
  }
}

/** Puts in the chart of another window; where that fails, the link does what links do. */
async function swap(figure: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  figure.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(`${figure.dataset.chart}?window=${link.dataset.window}`);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = document.adoptNode(parsed.querySelector<HTMLElement>('[data-chart]')!);
    figure.replaceWith(next);
    history.replaceState(null, '', link.href);
    next.querySelector<HTMLAnchorElement>('[data-window][aria-current]')?.focus();
    enhance(next);
  } catch {
    location.href = link.href;
  }
}

/** Makes the plot a slider over the days of the line: what it points at is read out, and shown above it. */
function readByDay(figure: HTMLElement, { fromDay, toDay, edgesUsdCents, line, sales }: Points): void {
  const plot = figure.querySelector<SVGSVGElement>('.chart-svg')!;
  const readout = figure.querySelector<HTMLElement>('.chart-readout')!;
  const cursor = plot.querySelector<SVGLineElement>('.chart-cursor')!;
  const dot = plot.querySelector<SVGCircleElement>('.chart-cursor-dot')!;
  const newest = line.length - 1;
  const stepDays = newest > 0 ? line[newest]![0] - line[newest - 1]![0] : 1;
  const [lowest, highest] = edgesUsdCents;
  let at = newest;

  function show(index: number): void {
    at = Math.max(0, Math.min(newest, index));
    const [day, cents, low, high] = line[at]!;
    const near = sales.filter(([sold]) => sold > day - stepDays && sold <= day).map(([, price]) => usd(price));
    const iso = new Date(day * MS_PER_DAY).toISOString();
    const range = `${usd(low)} to ${usd(high)}`;
    const sold =
      near.length === 0
        ? ''
        : ` · ${near.length === 1 ? 'sold' : `${near.length} sales`}: ${near.slice(0, 4).join(', ')}${near.length > 4 ? ' …' : ''}`;
    const price = document.createElement('strong');
    price.textContent = usd(cents);
    const rest = document.createElement('span');
    rest.className = 'muted';
    rest.textContent = range + sold;
    readout.replaceChildren(`Close of ${briefDay(iso)} `, price, ' ', rest);
    const x = `${((day - fromDay) / (toDay - fromDay)) * 100}%`;
    cursor.setAttribute('x1', x);
    cursor.setAttribute('x2', x);
    dot.setAttribute('cx', x);
    const height = (cents - lowest) / (highest - lowest);
    dot.setAttribute('cy', String(CHART.bottom - height * (CHART.bottom - CHART.top)));
    cursor.removeAttribute('display');
    dot.removeAttribute('display');
    plot.setAttribute('aria-valuenow', String(at));
    // A slider's value text is announced when it changes: a live region beside it would say everything twice.
    plot.setAttribute('aria-valuetext', `${briefDay(iso)}: ${usd(cents)}, 80 % range ${range}${sold}`);
  }

  // What the server wrote of the newest day: nothing is worked out before somebody points at a day.
  const resting = [...readout.childNodes];

  function hide(): void {
    readout.replaceChildren(...resting);
    at = newest;
    plot.setAttribute('aria-valuenow', String(newest));
    plot.setAttribute('aria-valuetext', readout.textContent ?? '');
    cursor.setAttribute('display', 'none');
    dot.setAttribute('display', 'none');
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
    show(nearest(line, fromDay + ((event.clientX - left) / width) * (toDay - fromDay)));
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
      PageDown: at - PAGE,
      PageUp: at + PAGE,
      Home: 0,
      End: newest,
    };
    const index = to[event.key];
    if (index === undefined) return;
    event.preventDefault();
    show(index);
  });
}

function nearest(line: Line, day: number): number {
  let best = 0;
  for (let at = 1; at < line.length; at++) {
    if (Math.abs(line[at]![0] - day) < Math.abs(line[best]![0] - day)) best = at;
  }
  return best;
}
