/** Reads days and sales off charts, by pointer, touch and keys, and swaps windows in place. Pages are complete without it. */
import { type ChartData, readChart } from './lib/read-chart.ts';

for (const chart of document.querySelectorAll<HTMLElement>('.chart')) enhance(chart);

function enhance(chart: HTMLElement): void {
  const data = JSON.parse(chart.querySelector('script')?.textContent ?? '{"days":[],"sales":[]}') as ChartData;
  if (data.days.length + data.sales.length > 0) readChart(chart, data);
  for (const button of chart.querySelectorAll<HTMLElement>('[data-copy]')) button.hidden = false;
  for (const link of chart.querySelectorAll<HTMLAnchorElement>('.chart-windows a')) {
    link.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      void swap(chart, link);
    });
  }
}

/** Swaps in the chart of another window; on failure the link is followed. */
async function swap(chart: HTMLElement, link: HTMLAnchorElement): Promise<void> {
  chart.setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(link.pathname + link.search);
    if (!answer.ok) throw new Error(`${answer.status}`);
    const parsed = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = document.adoptNode(parsed.querySelector<HTMLElement>('.chart')!);
    chart.replaceWith(next);
    history.replaceState(null, '', link.href);
    next.querySelector<HTMLAnchorElement>('.chart-windows [aria-current]')?.focus();
    enhance(next);
  } catch {
    location.href = link.href;
  }
}
