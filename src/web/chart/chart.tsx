import type { ComponentChildren } from 'preact';
import { WholeDays } from '../line-breaks.tsx';
import { ChartFiles, type FilesOf } from './chart-files.tsx';
import { CHART, type DayValue, type Scale } from './chart-shape.ts';
import { type ChartWindow, WINDOW_NAMES, WINDOWS } from './chart-window.ts';
import { Axis, Legend, type Mark, Plot, percent, type Signs } from './plot.tsx';

/** A day of the readout: its texts belong to the elements with `data-reading`, in their order. */
export type DayReading = DayValue & { texts: readonly string[] };

/** A sale that can be pointed at; `href` leads to its source. */
export type SalePoint = DayValue & { price: string; facts: string; standing: string; href: string | null };

export type DrawingOf = {
  /** The text alternative of the picture. */
  summary: string;
  scale: Scale;
  tickText(value: number): string;
  /** The amount of the highest bar. */
  barsText?: string;
  marks: readonly Mark[];
  signs?: Signs;
  /** The newest day in words. */
  readout: ComponentChildren;
  readings: readonly DayReading[];
  /** In order. */
  sales?: readonly SalePoint[];
  notes?: readonly string[];
  /** Absent where the chart is shown on another site. */
  files?: FilesOf;
  table?: ComponentChildren;
};

type WindowsOf = {
  href: string;
  /** The part of the page that the chart is in. */
  anchor?: string;
  window: ChartWindow;
  /** The window of the bare address. */
  usual: ChartWindow;
  /** Kept in the addresses of windows: `vs=sports`. */
  kept?: string;
};

/**
 * Values over days, complete without scripts: `client/chart.ts` reads single days and sales, and swaps in the chart of the page
 * that a window leads to.
 */
export function Chart({ drawing, ...windows }: WindowsOf & { drawing: DrawingOf | null }) {
  return (
    <div class="chart">
      <Windows {...windows} />
      {drawing === null ? (
        <p class="chart-empty muted">Nothing is recorded in this window.</p>
      ) : (
        <Drawing {...drawing} />
      )}
    </div>
  );
}

function Windows({ href, anchor = '', window, usual, kept }: WindowsOf) {
  const addressOf = (one: ChartWindow) => {
    const query = [one === usual ? '' : `window=${one}`, kept].filter(Boolean).join('&');
    return `${href}${query && `?${query}`}${anchor}`;
  };
  return (
    <nav class="chart-windows no-print" aria-label="Window of the chart">
      <ul>
        {WINDOWS.map((one) => (
          <li key={one}>
            <a href={addressOf(one)} aria-current={one === window ? 'true' : undefined} rel="nofollow">
              {WINDOW_NAMES[one]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** A chart without the choice of its window. */
export function Drawing(drawing: DrawingOf) {
  const { summary, scale, tickText, barsText, marks, signs, readout, notes = [], files, table } = drawing;
  const drawn = marks.filter(({ path }) => path !== '');
  return (
    <>
      <figure>
        <p class="chart-readout">{readout}</p>
        <div class="chart-plot">
          <div class="chart-area">
            <Plot summary={summary} scale={scale} marks={drawn} signs={signs}>
              <svg class="chart-cursor" visibility="hidden" aria-hidden="true">
                <line y1={CHART.top} y2={scale.floor} />
                <circle r="4.5" />
              </svg>
            </Plot>
            <div class="chart-sale" hidden>
              <strong />
              <span />
              <span />
            </div>
          </div>
          <Axis scale={scale} tickText={tickText} barsText={barsText} />
        </div>
        <figcaption>
          <Legend marks={drawn} signs={signs} />
          {notes.map((note) => (
            <p key={note}>
              <WholeDays>{note}</WholeDays>
            </p>
          ))}
        </figcaption>
      </figure>
      {files && <ChartFiles {...files} />}
      {table}
      <script type="application/json" dangerouslySetInnerHTML={{ __html: dataText(drawing) }} />
    </>
  );
}

/** The days and sales for the script: the position of each, and its texts. */
function dataText({ readings, sales = [], scale: { x, y } }: DrawingOf): string {
  const placeOf = ({ day, value }: DayValue) => [percent(x(day)), Math.round(10 * y(value)) / 10];
  const data = {
    days: readings.map((one) => [...placeOf(one), ...one.texts]),
    sales: sales.map((one) => [...placeOf(one), one.price, one.facts, one.standing, one.href]),
  };
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}
