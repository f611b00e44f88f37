import { createHash } from 'node:crypto';
import { renderToString } from 'preact-render-to-string';
import type { DrawingOf } from './chart.tsx';
import { CHART } from './chart-shape.ts';
import { Axis, Plot } from './plot.tsx';

/** Room around the plot, in the units of the picture: the title and its notes are above, the axis is to the right. */
const MARGIN = { top: 96, right: 104, bottom: 12, left: 24 } as const;
const DOCUMENT_WIDTH = MARGIN.left + CHART.width + MARGIN.right;
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
.chart-compared { stroke: #8a5a00; stroke-width: 2; stroke-dasharray: 6 4 }
.chart-band { fill: #0a6350; fill-opacity: 0.15; stroke: #0a6350; stroke-opacity: 0.15 }
.chart-band-next, .chart-under { fill: #0a6350; fill-opacity: 0.07; stroke: #0a6350; stroke-opacity: 0.07 }
.chart-listings { stroke: #8a5a00; stroke-width: 1.5; stroke-dasharray: 1 4 }
.chart-turnover, .chart-turnover-fine { stroke: #8f938f; stroke-width: 2; stroke-linecap: butt }
.chart-sales { stroke: #14191a; stroke-width: 9 }
.chart-downweighted { stroke: #14191a; stroke-width: 9 }
.chart-downweighted-hole { stroke: #fff; stroke-width: 5.5 }
.chart-cross { stroke: #ab2417; stroke-width: 2 }
.chart-flag { fill: #4a5355 }`;

/** The content policy of such a document: its own style, and nothing else. */
export function documentPolicy(): string {
  const style = createHash('sha256').update(STYLE).digest('base64');
  return `default-src 'none'; style-src 'sha256-${style}'; frame-ancestors 'none'`;
}

type Titled = {
  /** `ending` follows the title and is never cut off. */
  title: string;
  ending?: string;
  /** Two lines that explain the drawing. */
  notes: readonly string[];
};

/** A chart as an SVG document that needs no other file, drawn as on its page. */
export function chartDocument({ scale, marks, signs, tickText, barsText }: DrawingOf, about: Titled): string {
  const { title, ending = '', notes } = about;
  const height = MARGIN.top + scale.height + MARGIN.bottom;
  return `${renderToString(
    <svg
      xmlns="http://www.w3.org/2000/svg"
      role="img"
      aria-label={`${title}${ending}. ${notes.join(' ')}`}
      viewBox={`0 0 ${DOCUMENT_WIDTH} ${height}`}
      width={SHOWN_WIDTH}
      height={Math.round((height * SHOWN_WIDTH) / DOCUMENT_WIDTH)}
    >
      <title>{title + ending}</title>
      <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      <rect width="100%" height="100%" fill="#fff" />
      <text class="title" x={MARGIN.left} y="36">
        {`${shortened(title, TITLE_COLUMNS - ending.length)}${ending}`}
      </text>
      {notes.map((note, at) => (
        <text key={note} class="note" x={MARGIN.left} y={60 + 20 * at}>
          {note}
        </text>
      ))}
      <svg x={MARGIN.left} y={MARGIN.top} width={CHART.width} height={scale.height} aria-hidden="true">
        <Plot summary={title} scale={scale} marks={marks.filter(({ path }) => path !== '')} signs={signs} />
      </svg>
      <g transform={`translate(${MARGIN.left + CHART.width} ${MARGIN.top})`}>
        <Axis scale={scale} tickText={tickText} barsText={barsText} />
      </g>
    </svg>,
  )}\n`;
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
