import type { ComponentChildren } from 'preact';
import { dayStartMs } from '../../lib/day.ts';
import { dayOfMonth, monthName } from '../format.ts';
import { CHART, type DayValue, type Scale } from './chart-shape.ts';
import { type ChartWindow, USUAL_WINDOW, WINDOW_NAMES } from './chart-window.ts';
import { namesMonths } from './scale.ts';

/** The length of the mark below the plot at a named day, in pixels. */
const DAY_MARK = 6;

/** Something drawn, and its entry in the legend; its kind is its style. An empty path is not drawn. */
export type Mark = {
  kind:
    | 'band'
    | 'band-next'
    | 'downweighted'
    | 'line'
    | 'listings'
    | 'rejected'
    | 'rotation'
    | 'sales'
    | 'turnover'
    | 'turnover-fine'
    | 'under';
  path: string;
  label?: string;
  /** Shown by pointing at it. */
  title?: string;
};

/** A day of the readout: its texts belong to the elements with `data-reading`, in their order. */
export type DayReading = DayValue & { texts: readonly string[] };

type DrawingOf = {
  /** The text alternative of the picture. */
  summary: string;
  scale: Scale;
  tickText(value: number): string;
  marks: readonly Mark[];
  /** The newest day in words. */
  readout: ComponentChildren;
  readings: readonly DayReading[];
  notes?: readonly string[];
  table: ComponentChildren;
};

/** Links to the page with another window; where it has a part for the chart, `anchor` names it. */
type WindowsOf = { href: string; anchor?: string; windows: readonly ChartWindow[]; window: ChartWindow };

/**
 * Values over days, complete without scripts: `client/chart.ts` reads single days, and swaps in the chart of the page
 * that a window leads to.
 */
export function Chart({ drawing, ...windows }: WindowsOf & { drawing: DrawingOf | null }) {
  return (
    <figure class="chart">
      <Windows {...windows} />
      {drawing === null ? (
        <p class="chart-empty muted">Nothing is recorded in this window.</p>
      ) : (
        <Drawing {...drawing} />
      )}
    </figure>
  );
}

function Windows({ href, anchor = '', windows, window }: WindowsOf) {
  return (
    <nav class="chart-windows no-print" aria-label="Window of the chart">
      <ul>
        {windows.map((one) => (
          <li key={one}>
            <a
              href={`${href}${one === USUAL_WINDOW ? '' : `?window=${one}`}${anchor}`}
              aria-current={one === window ? 'true' : undefined}
              rel="nofollow"
            >
              {WINDOW_NAMES[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Drawing({ summary, scale, tickText, marks, readout, readings, notes = [], table }: DrawingOf) {
  const drawn = marks.filter(({ path }) => path !== '');
  return (
    <>
      <p class="chart-readout">{readout}</p>
      <div class="chart-plot">
        <Plot summary={summary} scale={scale} marks={drawn}>
          <svg class="chart-cursor" visibility="hidden" aria-hidden="true">
            <line y1={CHART.top} y2={scale.floor} />
            <circle r="4.5" />
          </svg>
        </Plot>
        <Axis scale={scale} tickText={tickText} />
      </div>
      <script type="application/json" dangerouslySetInnerHTML={{ __html: readingsText(readings, scale) }} />
      <figcaption>
        <Legend marks={drawn} />
        {notes.map((note) => (
          <p key={note}>{note}</p>
        ))}
        {table}
      </figcaption>
    </>
  );
}

/** The text of each tick, to the right of the plot. */
export function Axis({ scale, tickText }: Pick<DrawingOf, 'scale' | 'tickText'>) {
  return (
    <svg class="chart-axis" width="64" height={scale.height} aria-hidden="true">
      {scale.ticks.map((tick) => (
        <text key={tick} class="chart-label" x="8" y={scale.y(tick) + 4}>
          {tickText(tick)}
        </text>
      ))}
    </svg>
  );
}

/** Kinds of marks that are drawn with a hole. */
const HOLLOW: readonly Mark['kind'][] = ['rejected', 'downweighted'];

type PlotOf = Pick<DrawingOf, 'summary' | 'scale' | 'marks'> & { children?: ComponentChildren };

/** The grid, the names of days and the marks, as wide as there is room; `children` are drawn above them. */
export function Plot({ summary, scale, marks, children }: PlotOf) {
  const { ticks, days, floor, height, x, y } = scale;
  const label = namesMonths(scale.fromDay, scale.toDay) ? monthName : dayOfMonth;
  return (
    <svg class="chart-svg" width="100%" height={height} role="img" aria-label={summary}>
      {ticks.map((tick) => (
        <line key={tick} class="chart-grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
      ))}
      {days.map((day) => (
        <g key={day}>
          <line class="chart-grid" x1={percent(x(day))} x2={percent(x(day))} y1={floor} y2={floor + DAY_MARK} />
          <text class="chart-label chart-day" x={percent(x(day))} y={height - 8} text-anchor="middle">
            {label(dayStartMs(day))}
          </text>
        </g>
      ))}
      <svg
        width="100%"
        height={height}
        viewBox={`0 0 ${CHART.width} ${height}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {marks.map(({ kind, path, title }) => (
          <g key={kind + path}>
            {title && <title>{title}</title>}
            <path class={`chart-${kind}`} d={path} />
            {HOLLOW.includes(kind) && <path class={`chart-${kind}-hole`} d={path} />}
          </g>
        ))}
      </svg>
      {children}
    </svg>
  );
}

/** How marks other than lines look in the legend. */
const SAMPLES: Partial<Record<Mark['kind'], string>> = {
  band: 'M0 0h22v12h-22z',
  'band-next': 'M0 0h22v12h-22z',
  sales: 'M11 6h0',
  rejected: 'M11 6h0',
};

function Legend({ marks }: Pick<DrawingOf, 'marks'>) {
  return (
    <ul class="chart-legend">
      {marks.map(
        ({ kind, label }) =>
          label && (
            <li key={kind}>
              <svg width="22" height="12" aria-hidden="true">
                <path class={`chart-${kind}`} d={SAMPLES[kind] ?? 'M1 6h20'} />
                {kind === 'rejected' && <path class="chart-rejected-hole" d={SAMPLES[kind]} />}
              </svg>
              {label}
            </li>
          ),
      )}
    </ul>
  );
}

/** The days for the script: the position of each, and its texts. */
function readingsText(readings: readonly DayReading[], { x, y }: Scale): string {
  const rows = readings.map(({ day, value, texts }) => [percent(x(day)), Math.round(10 * y(value)) / 10, ...texts]);
  return JSON.stringify(rows).replaceAll('<', '\\u003c');
}

function percent(x: number): string {
  return `${Math.round(10 * x) / 100}%`;
}
