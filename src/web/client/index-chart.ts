/** Reads the chart of an index out, day by day, by pointer and by keyboard. Its numbers are those of the table below it. */

const plot = document.querySelector<HTMLElement>('#index-chart .levels-plot');
const rows = [...document.querySelectorAll<HTMLTableRowElement>('#index-days tbody tr')];

if (plot && rows.length > 1) {
  const said = rows.map((row) => [...row.cells].map((cell) => cell.textContent!.trim()));
  const cursor = document.createElement('span');
  cursor.className = 'levels-cursor';
  cursor.hidden = true;
  const readout = document.querySelector<HTMLOutputElement>('#index-chart .levels-readout')!;
  plot.append(cursor);

  plot.tabIndex = 0;
  plot.setAttribute('role', 'slider');
  plot.setAttribute('aria-label', 'Day of the chart');
  plot.setAttribute('aria-valuemin', '0');
  plot.setAttribute('aria-valuemax', String(rows.length - 1));

  let at = rows.length - 1;
  const show = (day: number) => {
    at = Math.min(rows.length - 1, Math.max(0, day));
    const [name, level, sold, sales, basket] = said[at]!;
    const text = `${name}: ${level}. Sold for ${sold}, ${sales}.${basket ? ` Basket changed: ${basket}.` : ''}`;
    readout.textContent = text;
    plot.setAttribute('aria-valuenow', String(at));
    plot.setAttribute('aria-valuetext', text);
    cursor.style.left = `${(100 * at) / (rows.length - 1)}%`;
    cursor.hidden = false;
  };
  show(at);
  cursor.hidden = true;

  plot.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    show(Math.round(((clientX - left) / width) * (rows.length - 1)));
  });
  plot.addEventListener('focus', () => show(at));
  const STEPS: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageDown: -7,
    PageUp: 7,
    Home: -rows.length,
    End: rows.length,
  };
  plot.addEventListener('keydown', (event) => {
    const step = STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    show(at + step);
  });
}
