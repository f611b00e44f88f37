/** A day or a sale: its place from the left, y in pixels, and its texts. */
type ReadPlace = [left: `${number}%`, y: number];
type DayOfChart = [...ReadPlace, ...string[]];
type SaleOfChart = [...ReadPlace, price: string, facts: string, standing: string, href: string | null];

export type ChartData = { days: readonly DayOfChart[]; sales: readonly SaleOfChart[] };

/** Page Up and Page Down go by this part of the days. */
const PAGE = 1 / 12;
/** A pointer this near to a sale, in pixels, points at it; a finger is less exact. */
const SNAP = { mouse: 12, touch: 24 };
/** The radius of the cursor's circle on the line, and around a sale. */
const RADIUS = { day: 4.5, sale: 8.5 };

/**
 * Makes the plot a slider over its days, or over its sales where it has no days: the current one is announced and shown. A
 * pointer near a sale, and Shift with an arrow, show the sale.
 */
export function readChart(chart: HTMLElement, { days, sales }: ChartData): void {
  const area = chart.querySelector<HTMLElement>('.chart-area')!;
  const plot = area.querySelector<SVGSVGElement>('.chart-svg')!;
  const readout = chart.querySelector<HTMLElement>('.chart-readout')!;
  const parts = readout.querySelectorAll<HTMLElement>('[data-reading]');
  const cursor = area.querySelector<SVGSVGElement>('.chart-cursor')!;
  const circle = cursor.querySelector('circle')!;
  const box = area.querySelector<HTMLElement>('.chart-sale')!;
  const [price, facts, standing] = box.children as unknown as [HTMLElement, HTMLElement, HTMLElement];
  const source = document.createElement('a');
  source.rel = 'nofollow noreferrer';
  source.textContent = 'Open the source';
  box.append(source);
  const stops: readonly ReadPlace[] =
    days.length > 0 ? (days as unknown as ReadPlace[]) : (sales as unknown as ReadPlace[]);
  const newest = stops.length - 1;
  const stopOfSale = sales.map((sale) => nearestStop(stops, Number.parseFloat(sale[0])));
  let at = newest;
  let sale: number | null = null;
  /** Stays until the next tap or click, so that its link can be reached. */
  let isPinned = false;

  function show(stop: number, shown: number | null): void {
    at = Math.max(0, Math.min(newest, stop));
    sale = days.length > 0 ? shown : (shown ?? at);
    if (days.length > 0) for (const [i, part] of parts.entries()) part.textContent = days[at]![i + 2] as string;
    const [left, y] = sale === null ? stops[at]! : sales[sale]!;
    cursor.setAttribute('x', left);
    circle.setAttribute('cy', String(y));
    circle.setAttribute('r', String(sale === null ? RADIUS.day : RADIUS.sale));
    cursor.classList.toggle('on-sale', sale !== null);
    cursor.setAttribute('visibility', 'visible');
    showSale();
    plot.setAttribute('aria-valuenow', String(at));
    // A slider's value text is announced when it changes: a live region would repeat it.
    const words = sale === null ? [] : [sales[sale]![2], sales[sale]![3], sales[sale]![4]];
    plot.setAttribute('aria-valuetext', [readout.textContent!, ...words].join('. '));
  }

  function showSale(): void {
    box.hidden = sale === null;
    if (sale === null) return;
    const [left, y, ...texts] = sales[sale]!;
    price.textContent = texts[0];
    facts.textContent = texts[1];
    standing.textContent = texts[2];
    source.hidden = texts[3] === null;
    if (texts[3] !== null) source.href = texts[3];
    const isRight = Number.parseFloat(left) > 50;
    box.style.left = isRight ? 'auto' : `calc(${left} + 14px)`;
    box.style.right = isRight ? `calc(100% - ${left} + 14px)` : 'auto';
    box.style.top = `${Math.max(0, y - 24)}px`;
  }

  function hide(): void {
    isPinned = false;
    show(newest, null);
    box.hidden = true;
    cursor.setAttribute('visibility', 'hidden');
  }

  function read(event: PointerEvent): void {
    const { left, top, width } = plot.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    const near = sales
      .map((one, index) => ({ index, away: Math.hypot((Number.parseFloat(one[0]) / 100) * width - x, one[1] - y) }))
      .reduce((a, b) => (b.away < a.away ? b : a), { index: -1, away: Number.POSITIVE_INFINITY });
    if (near.away <= (event.pointerType === 'mouse' ? SNAP.mouse : SNAP.touch))
      show(stopOfSale[near.index]!, near.index);
    else show(nearestStop(stops, (x / width) * 100), null);
  }

  plot.setAttribute('aria-description', `${plot.getAttribute('aria-label')} Shift and an arrow go from sale to sale.`);
  plot.setAttribute('aria-label', 'Day of the chart');
  plot.setAttribute('role', 'slider');
  plot.setAttribute('tabindex', '0');
  plot.setAttribute('aria-valuemin', '0');
  plot.setAttribute('aria-valuemax', String(newest));
  hide();
  plot.addEventListener('pointerdown', (event) => {
    read(event);
    isPinned = sale !== null;
  });
  plot.addEventListener('pointermove', (event) => {
    const isMouse = event.pointerType === 'mouse';
    if (isMouse && isPinned) return;
    read(event);
    if (!isMouse) isPinned = sale !== null;
  });
  // A finger that lifts leaves too: what it read stays.
  plot.addEventListener('pointerleave', (event) => {
    if (event.pointerType === 'mouse' && !isPinned && document.activeElement !== plot) hide();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!area.contains(event.target as Node)) hide();
  });
  area.addEventListener('focusout', (event) => {
    if (!area.contains(event.relatedTarget as Node | null)) hide();
  });
  plot.addEventListener('focus', () => show(at, sale));
  area.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      plot.focus();
      show(at, null);
    }
  });
  plot.addEventListener('keydown', (event) => {
    const page = Math.ceil(newest * PAGE);
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
    const stop = to[event.key];
    if (stop === undefined) return;
    event.preventDefault();
    if (event.shiftKey && sales.length > 0 && event.key.startsWith('Arrow')) return goToSale(stop > at ? 1 : -1);
    const within = Math.max(0, Math.min(newest, stop));
    const found = stopOfSale.indexOf(within);
    show(within, found === -1 ? null : found);
  });

  function goToSale(step: 1 | -1): void {
    const from = step > 0 ? stopOfSale.findIndex((stop) => stop > at) : stopOfSale.findLastIndex((stop) => stop < at);
    const next = sale === null ? from : sale + step;
    if (sales[next] !== undefined) show(stopOfSale[next]!, next);
  }
}

function nearestStop(stops: readonly ReadPlace[], percent: number): number {
  const distances = stops.map(([left]) => Math.abs(Number.parseFloat(left) - percent));
  return distances.indexOf(Math.min(...distances));
}
