import { dayIso, dayStartMs } from '../lib/day.ts';
import { isEmpty, USUAL_WINDOW, WINDOWS, type Window } from './card/card-history.ts';
import {
  bandPath,
  CHART,
  type ChartData,
  dotsPath,
  linePath,
  listingsPath,
  type Scale,
  scaleOf,
} from './chart-shape.ts';
import { ChartTable } from './chart-table.tsx';
import { briefDay, count, usd } from './format.ts';
import { Day } from './price.tsx';

const WINDOW_NAMES: Record<Window, string> = {
  '30': '30 days',
  '90': '90 days',
  '365': '1 year',
  '1095': '3 years',
  all: 'All',
};

/** From here on the axis shows months. */
const LONG_DAYS = 150;
const monthLabel = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayLabel = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

type ChartOf = { href: string; name: string; window: Window; data: ChartData; salesLeftOut: number };

/** Prices over time, whole without scripts: `client/chart.ts` swaps windows in place and reads single days. */
export function Chart(chart: ChartOf) {
  const { href, window, data } = chart;
  return (
    <figure class="chart" data-chart={`${href}/chart`}>
      <Windows href={href} window={window} />
      {isEmpty(data) ? <p class="chart-empty muted">Nothing is recorded in this window.</p> : <Drawing {...chart} />}
    </figure>
  );
}

function Drawing({ name, window, data, salesLeftOut }: ChartOf) {
  const scale = scaleOf(data);
  const last = data.line.at(-1);
  return (
    <>
      <p class="chart-readout">
        {last === undefined ? (
          'No day of this window has a price.'
        ) : (
          <>
            Close of <Day iso={dayIso(last.day)} /> <strong>{usd(last.usdCents)}</strong>{' '}
            <span class="muted">
              {usd(last.lowUsdCents)} to {usd(last.highUsdCents)}
            </span>
          </>
        )}
      </p>
      <div class="chart-plot">
        <Plot name={name} window={window} data={data} scale={scale} />
        <PriceAxis scale={scale} />
      </div>
      <figcaption>
        <Legend data={data} />
        {hasFar(data, scale) && <p>Points outside the scale are drawn at its edge.</p>}
        {salesLeftOut > 0 && <p>The oldest {count(salesLeftOut)} sales are not drawn.</p>}
      </figcaption>
      <ChartTable data={data} />
      <script type="application/json" dangerouslySetInnerHTML={{ __html: pointsText(data, scale) }} />
    </>
  );
}

function hasFar({ sales, refused, listings }: ChartData, { ticks }: Scale): boolean {
  return [...sales, ...refused, ...listings].some(({ usdCents }) => usdCents < ticks[0]! || usdCents > ticks.at(-1)!);
}

function Windows({ href, window }: { href: string; window: Window }) {
  return (
    <nav class="chart-windows no-print" aria-label="Window of the chart">
      <ul>
        {WINDOWS.map((one) => (
          <li key={one}>
            <a
              href={`${href}${one === USUAL_WINDOW ? '' : `?window=${one}`}#history`}
              data-window={one}
              rel="nofollow"
              aria-current={one === window ? 'true' : undefined}
            >
              {WINDOW_NAMES[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Plot({ name, window, data, scale }: Omit<ChartOf, 'href' | 'salesLeftOut'> & { scale: Scale }) {
  const { width, height, top, bottom } = CHART;
  const isLong = data.toDay - data.fromDay > LONG_DAYS;
  const percent = (day: number) => `${Math.round(scale.x(day)) / 10}%`;
  return (
    <svg class="chart-svg" width="100%" height={height} role="img" aria-label={summaryOf(name, window, data)}>
      {scale.ticks.map((cents) => (
        <line key={cents} class="chart-grid" x1="0" x2="100%" y1={scale.y(cents)} y2={scale.y(cents)} />
      ))}
      {scale.days.map((day) => (
        <text key={day} class="chart-label chart-day" x={percent(day)} y={height - 8} text-anchor="middle">
          {(isLong ? monthLabel : dayLabel).format(dayStartMs(day))}
        </text>
      ))}
      <svg
        width="100%"
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path class="chart-band" d={bandPath(data, scale)} />
        <path class="chart-listings" d={listingsPath(data, scale)} />
        <path class="chart-line" d={linePath(data, scale)} />
        <path class="chart-sales" d={dotsPath(data.sales, scale)} />
        {data.refused.map((dot) => (
          <g key={`${dot.day} ${dot.usdCents}`}>
            <title>{`${briefDay(dayIso(dot.day))}, ${usd(dot.usdCents)}. ${dot.reason}`}</title>
            <path class="chart-refused" d={dotsPath([dot], scale)} />
            <path class="chart-refused-hole" d={dotsPath([dot], scale)} />
          </g>
        ))}
      </svg>
      <line class="chart-cursor" y1={top} y2={bottom} display="none" />
      <circle class="chart-cursor-dot" r="4.5" display="none" />
    </svg>
  );
}

function PriceAxis({ scale }: { scale: Scale }) {
  return (
    <svg class="chart-axis" width="64" height={CHART.height} aria-hidden="true">
      {scale.ticks.map((cents) => (
        <text key={cents} class="chart-label" x="8" y={scale.y(cents) + 4}>
          {usd(cents).replace(/\.00$/, '')}
        </text>
      ))}
    </svg>
  );
}

function Legend({ data }: { data: ChartData }) {
  const entries = [
    ['chart-line', 'Reference price', data.line.length > 0],
    ['chart-band', '80 % range', data.line.length > 0],
    ['chart-sales', 'Sale', data.sales.length > 0],
    ['chart-refused', 'Rejected sale', data.refused.length > 0],
    ['chart-listings', 'Average asking price', data.listings.length > 0],
  ] as const;
  return (
    <ul class="chart-legend">
      {entries
        .filter(([, , isShown]) => isShown)
        .map(([mark, label]) => (
          <li key={mark}>
            <svg width="22" height="12" aria-hidden="true">
              {mark === 'chart-band' ? (
                <rect class={mark} width="22" height="12" />
              ) : (
                <path class={mark} d={mark === 'chart-sales' || mark === 'chart-refused' ? 'M11 6h0' : 'M1 6h20'} />
              )}
              {mark === 'chart-refused' && <path class="chart-refused-hole" d="M11 6h0" />}
            </svg>
            {label}
          </li>
        ))}
    </ul>
  );
}

/** What the picture shows, for those who do not see it. */
function summaryOf(name: string, window: Window, { line, sales, refused }: ChartData): string {
  const first = line[0];
  const last = line.at(-1);
  const course =
    first === undefined || last === undefined
      ? 'no price'
      : `reference price from ${usd(first.usdCents)} on ${briefDay(dayIso(first.day))} to ${usd(last.usdCents)} on ${briefDay(dayIso(last.day))}`;
  const period = window === 'all' ? 'all time' : WINDOW_NAMES[window];
  return `Chart of ${name}, ${period}: ${course}; ${sales.length} sales, ${refused.length} rejected. The table below has the same data.`;
}

/** What the script reads days from: numbers alone. */
function pointsText({ fromDay, toDay, line, sales }: ChartData, { ticks }: Scale): string {
  return JSON.stringify({
    fromDay,
    toDay,
    edgesUsdCents: [ticks[0], ticks.at(-1)],
    line: line.map(({ day, usdCents, lowUsdCents, highUsdCents }) => [day, usdCents, lowUsdCents, highUsdCents]),
    sales: sales.map(({ day, usdCents }) => [day, usdCents]),
  });
}
