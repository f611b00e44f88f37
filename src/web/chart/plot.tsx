import type { ComponentChildren } from 'preact';
import { dayStartMs } from '../../lib/day.ts';
import { dayOfMonth, monthName } from '../format.ts';
import { CHART, type DayValue, type Scale, short } from './chart-shape.ts';
import { namesMonths } from './scale.ts';

/** The length of the mark below the plot at a named day, in pixels. */
const DAY_MARK = 6;

/** Something drawn, and its entry in the legend; its kind is its style. An empty path is not drawn. */
export type Mark = {
  kind:
    | 'band'
    | 'band-next'
    | 'compared'
    | 'downweighted'
    | 'line'
    | 'listings'
    | 'sales'
    | 'third'
    | 'turnover'
    | 'turnover-fine'
    | 'under';
  path: string;
  label?: string;
};

/** A day that the axis marks; what happened is shown by pointing at it. */
type Flag = { day: number; title: string };

/** Signs of a fixed shape, whatever the width of the plot: crosses at values, and flags on the axis. */
export type Signs = {
  crosses?: readonly (DayValue & { title: string })[];
  crossLabel?: string;
  flags?: readonly Flag[];
  flagLabel?: string;
};

const CROSS = 'M-4-4L4 4M-4 4L4-4';
/** Below the axis. */
const FLAG = 'M-4 9h8l-4-7z';

/** Kinds of marks that are drawn with a hole. */
const HOLLOW: readonly Mark['kind'][] = ['downweighted'];

type PlotOf = { summary: string; scale: Scale; marks: readonly Mark[]; signs?: Signs; children?: ComponentChildren };

/** The grid, the names of days and the marks, as wide as there is room; `children` are drawn above them. */
export function Plot({ summary, scale, marks, signs = {}, children }: PlotOf) {
  const { ticks, days, floor, height, x, y } = scale;
  return (
    <svg class="chart-svg" width="100%" height={height} role="img" aria-label={summary}>
      {ticks.map((tick) => (
        <line key={tick} class="chart-grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
      ))}
      {days.map((day, at) => (
        <g key={day}>
          <line class="chart-grid" x1={percent(x(day))} x2={percent(x(day))} y1={floor} y2={floor + DAY_MARK} />
          <text class="chart-label chart-day" x={percent(x(day))} y={height - 8} text-anchor="middle">
            {dayName(scale, at)}
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
        {marks.map(({ kind, path }) => (
          <g key={kind + path}>
            <path class={`chart-${kind}`} d={path} />
            {HOLLOW.includes(kind) && <path class={`chart-${kind}-hole`} d={path} />}
          </g>
        ))}
      </svg>
      {(signs.flags ?? []).map(({ day, title }) => (
        <svg key={title} class="chart-sign" x={percent(x(day))} y={floor} aria-hidden="true">
          <title>{title}</title>
          <path class="chart-flag" d={FLAG} />
        </svg>
      ))}
      {(signs.crosses ?? []).map(({ day, value, title }, at) => (
        <svg key={at} class="chart-sign" x={percent(x(day))} y={short(y(value))} aria-hidden="true">
          <title>{title}</title>
          <path class="chart-cross" d={CROSS} />
        </svg>
      ))}
      {children}
    </svg>
  );
}

/** `12 Mar` on a short axis; months on a long one, each year named once. */
function dayName({ fromDay, toDay, days }: Scale, at: number): string {
  const date = dayStartMs(days[at]!);
  if (!namesMonths(fromDay, toDay)) return dayOfMonth(date);
  const yearOf = (day: number) => new Date(dayStartMs(day)).getUTCFullYear();
  const year = yearOf(days[at]!);
  const isFirst = at === 0 || yearOf(days[at - 1]!) !== year;
  return isFirst ? monthName(date) : monthName(date).slice(0, 3);
}

type AxisOf = { scale: Scale; tickText(value: number): string; barsText?: string };

/** The text of each tick, to the right of the plot, and of the highest bar. */
export function Axis({ scale, tickText, barsText }: AxisOf) {
  return (
    <svg class="chart-axis" width="64" height={scale.height} aria-hidden="true">
      {scale.ticks.map((tick) => (
        <text key={tick} class="chart-label" x="8" y={scale.y(tick) + 4}>
          {tickText(tick)}
        </text>
      ))}
      {barsText !== undefined && (
        <text class="chart-label" x="8" y={scale.barTop + 4}>
          {barsText}
        </text>
      )}
    </svg>
  );
}

/** How marks other than lines look in the legend. */
const SAMPLES: Partial<Record<Mark['kind'], string>> = {
  band: 'M0 0h22v12h-22z',
  'band-next': 'M0 0h22v12h-22z',
  sales: 'M11 6h0',
  downweighted: 'M11 6h0',
};

/** The names of what is drawn. */
export function Legend({ marks, signs = {} }: { marks: readonly Mark[]; signs?: Signs }) {
  const { crosses = [], crossLabel, flags = [], flagLabel } = signs;
  return (
    <ul class="chart-legend">
      {marks.map(
        ({ kind, label }) =>
          label && (
            <Entry key={kind} label={label}>
              <path class={`chart-${kind}`} d={SAMPLES[kind] ?? 'M1 6h20'} />
              {HOLLOW.includes(kind) && <path class={`chart-${kind}-hole`} d={SAMPLES[kind]} />}
            </Entry>
          ),
      )}
      {crosses.length > 0 && (
        <Entry label={crossLabel}>
          <path class="chart-cross" transform="translate(11 6)" d={CROSS} />
        </Entry>
      )}
      {flags.length > 0 && (
        <Entry label={flagLabel}>
          <path class="chart-flag" transform="translate(11 0)" d={FLAG} />
        </Entry>
      )}
    </ul>
  );
}

function Entry({ label, children }: { label: string | undefined; children: ComponentChildren }) {
  return (
    <li>
      <svg width="22" height="12" aria-hidden="true">
        {children}
      </svg>
      {label}
    </li>
  );
}

/** A place from left to right, of a coordinate of the chart: `63.25%`. */
export function percent(x: number): string {
  return `${Math.round(10 * x) / 100}%`;
}
