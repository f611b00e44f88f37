import { renderToString } from 'preact-render-to-string';
import { dayIso } from '../../lib/day.ts';
import { Axis, type Mark, Plot } from '../chart/chart.tsx';
import { CHART, type DayValue, dotsPath, scaleOf } from '../chart/chart-shape.ts';
import { briefDay, count } from '../format.ts';
import type { PriceHistory } from './card-history.ts';
import { hasFar, lineMarks, priceTicks, tickUsd } from './price-chart.tsx';

/** One series over a range of UTC days, prices in US cents; `sales` are the accepted ones, in order. */
export type PlottedSeries = Pick<PriceHistory, 'fromDay' | 'toDay' | 'line'> & {
  card: string;
  grade: string;
  sales: readonly (DayValue & { isDownweighted: boolean })[];
};

/** Room around the plot, in the units of the picture: the title and its notes are above, the axis is to the right. */
const MARGIN = { top: 96, right: 104, bottom: 12, left: 24 } as const;
const WIDTH = MARGIN.left + CHART.width + MARGIN.right;
/** The width in pixels in which the picture opens; its units are smaller. */
const SHOWN_WIDTH = 1000;
/** Widest title, in columns: a wide character, as in Japanese, takes two. */
const TITLE_COLUMNS = 84;
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

const STYLE = `
text { font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; fill: #14191a }
.title { font-size: 20px; font-weight: 600 }
.note, .chart-label { font-size: 14px; fill: #4a5355 }
svg svg { overflow: visible }
path { fill: none; stroke-linecap: round; stroke-linejoin: round }
.chart-grid { stroke: #e6e5df }
.chart-line { stroke: #0a6350; stroke-width: 2 }
.chart-band { fill: #0a6350; fill-opacity: 0.15; stroke: #0a6350; stroke-opacity: 0.15 }
.chart-band-next { fill: #0a6350; fill-opacity: 0.07; stroke: #0a6350; stroke-opacity: 0.07 }
.chart-sales { stroke: #14191a; stroke-width: 5 }
.chart-downweighted { stroke: #ab2417; stroke-width: 8 }
.chart-downweighted-hole { stroke: #fff; stroke-width: 5 }`;

/** The prices of a series as an SVG document that needs no other file, drawn as on the card's page. */
export function seriesPlot(series: PlottedSeries): string {
  const { card, grade, fromDay, toDay, line, sales } = series;
  const title = `${card}, ${grade}`;
  const history: PriceHistory = { fromDay, toDay, line, sales, stepDays: 1, rejected: [], listings: [] };
  const scale = scaleOf(fromDay, toDay, priceTicks(history));
  const counted = sales.filter(({ isDownweighted }) => !isDownweighted);
  const downweighted = sales.filter(({ isDownweighted }) => isDownweighted);
  const marks: Mark[] = [
    ...lineMarks(history, scale),
    { kind: 'sales', path: dotsPath(counted, scale) },
    // One path each: the outlines of one path would merge where they overlap.
    ...downweighted.map((sale): Mark => ({ kind: 'downweighted', path: dotsPath([sale], scale) })),
  ];
  const height = MARGIN.top + scale.height + MARGIN.bottom;
  const notes = notesOf(series, downweighted.length, hasFar(history, scale));
  return `${renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      aria-label={`${title}. ${notes.join(' ')}`}
      viewBox={`0 0 ${WIDTH} ${height}`}
      width={SHOWN_WIDTH}
      height={Math.round((height * SHOWN_WIDTH) / WIDTH)}
    >
      <title>{title}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      <rect width="100%" height="100%" fill="#fff" />
      <text class="title" x={MARGIN.left} y="36">
        {`${shortened(card, TITLE_COLUMNS - grade.length - 2)}, ${grade}`}
      </text>
      {notes.map((note, at) => (
        <text key={note} class="note" x={MARGIN.left} y={60 + 20 * at}>
          {note}
        </text>
      ))}
      <svg x={MARGIN.left} y={MARGIN.top} width={CHART.width} height={scale.height} aria-hidden="true">
        <Plot summary={title} scale={scale} marks={marks.filter(({ path }) => path !== '')} />
      </svg>
      <g transform={`translate(${MARGIN.left + CHART.width} ${MARGIN.top})`}>
        <Axis scale={scale} tickText={tickUsd} />
      </g>
    </svg>,
  )}\n`;
}

/** Two lines that explain the drawing. */
function notesOf({ fromDay, toDay, line, sales }: PlottedSeries, downweighted: number, isFar: boolean): string[] {
  const period = `US dollars, ${briefDay(dayIso(fromDay))} to ${briefDay(dayIso(toDay))} (UTC).`;
  const drawn =
    line.length === 0
      ? 'No day has a reference price.'
      : 'Line: reference price at the close of each day. 80% ranges: dark of the value, light of the next sale.';
  const hollow = downweighted === 0 ? '' : `, hollow ones down-weighted (${count(downweighted)})`;
  const dots =
    sales.length === 0
      ? 'No sale was accepted in these days.'
      : `Dots: accepted sales (${count(sales.length)})${hollow}.`;
  const priced = line.length === 0 || line.length > toDay - fromDay ? '' : ' Days without the line have no price.';
  const far = isFar ? ' Points outside the scale are drawn at its edge.' : '';
  return [`${period} ${drawn}`, `${dots}${priced}${far}`];
}

/** A text cut to a number of columns. */
function shortened(text: string, columns: number): string {
  let left = columns;
  let kept = '';
  for (const character of text) {
    left -= WIDE.test(character) ? 2 : 1;
    if (left < 0) return `${[...kept].slice(0, -1).join('').trimEnd()}…`;
    kept += character;
  }
  return text;
}
