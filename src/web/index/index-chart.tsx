import { salesOf } from '../card/card-words.ts';
import { briefDay, count, level, usd } from '../format.ts';
import { Headings } from '../headings.tsx';
import { Day } from '../price.tsx';
import { ticksOf } from '../scale.ts';

/** A day of an index, as its series has it. */
export type IndexPoint = {
  t: string;
  value: number;
  volUsdCents: number;
  n: number;
  rebalanced?: true;
  membersAdded?: number;
  membersRemoved?: number;
};

/** Units of the drawings, which are stretched to the room there is; lines keep their width. */
const WIDTH = 1000;
const LEVEL_HEIGHT = 300;
const TURNOVER_HEIGHT = 60;

/**
 * The level of an index over days, rotations marked, turnover below. Whole without scripts: the drawing here, every number
 * in the table under it, from which the script takes what it reads out.
 */
export function IndexChart({ label, points }: { label: string; points: readonly IndexPoint[] }) {
  const values = points.map(({ value }) => value);
  const ticks = ticksOf(Math.min(...values), Math.max(...values));
  const [low, high] = [ticks[0]!, ticks.at(-1)!];
  const xOf = (at: number) => (points.length === 1 ? WIDTH / 2 : (at * WIDTH) / (points.length - 1));
  const yOf = (value: number) => LEVEL_HEIGHT - ((value - low) / (high - low)) * LEVEL_HEIGHT;
  const line = points.map(({ value }, at) => `${xOf(at).toFixed(1)},${yOf(value).toFixed(1)}`).join(' ');
  const rotations = points.flatMap(({ rebalanced }, at) => (rebalanced ? [at] : []));
  return (
    <figure class="levels-chart" id="index-chart">
      <div class="levels-frame">
        <output class="levels-readout">{readout(points.at(-1)!)}</output>
        <div class="levels-plot">
          <svg
            class="levels-level"
            viewBox={`0 0 ${WIDTH} ${LEVEL_HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={spoken(label, points)}
          >
            {ticks.map((tick) => (
              <line key={tick} class="levels-grid" x1="0" x2={WIDTH} y1={yOf(tick)} y2={yOf(tick)} />
            ))}
            {rotations.map((at) => (
              <line key={at} class="levels-rotation" x1={xOf(at)} x2={xOf(at)} y1="0" y2={LEVEL_HEIGHT} />
            ))}
            <polygon
              class="levels-under"
              points={`${xOf(0)},${LEVEL_HEIGHT} ${line} ${xOf(points.length - 1)},${LEVEL_HEIGHT}`}
            />
            <polyline class="levels-line" points={line} />
          </svg>
          <Turnover points={points} />
        </div>
        <ol class="levels-y" aria-hidden="true">
          {ticks.toReversed().map((tick) => (
            <li key={tick}>{count(tick)}</li>
          ))}
        </ol>
        <ol class="levels-x" aria-hidden="true">
          {daysShown(points).map(({ t }) => (
            <li key={t}>
              <Day iso={t} />
            </li>
          ))}
        </ol>
      </div>
      <figcaption class="levels-legend">
        <span class="key key-line">Daily close</span>
        {rotations.length > 0 && <span class="key key-rotation">Basket changed</span>}
        <span class="key key-bar">Sales value of the basket</span>
      </figcaption>
    </figure>
  );
}

/** A day in a line; the script words the others alike. */
function readout({ t, value, volUsdCents, n }: IndexPoint): string {
  return `${briefDay(t)}: ${level(value)}. Sold for ${usd(volUsdCents)}, ${salesOf(n)}.`;
}

/** Bars as one path: a stroke each, as wide as a day allows. */
function Turnover({ points }: { points: readonly IndexPoint[] }) {
  const most = Math.max(1, ...points.map(({ volUsdCents }) => volUsdCents));
  const xOf = (at: number) => (points.length === 1 ? WIDTH / 2 : (at * WIDTH) / (points.length - 1));
  const bars = points
    .map(
      ({ volUsdCents }, at) =>
        `M${xOf(at).toFixed(1)} ${TURNOVER_HEIGHT}v-${((volUsdCents / most) * TURNOVER_HEIGHT).toFixed(1)}`,
    )
    .join('');
  return (
    <svg
      class={points.length > 120 ? 'levels-turnover levels-turnover-fine' : 'levels-turnover'}
      viewBox={`0 0 ${WIDTH} ${TURNOVER_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={bars} />
    </svg>
  );
}

/** First, middle and last day. */
function daysShown(points: readonly IndexPoint[]): IndexPoint[] {
  const last = points.length - 1;
  return [...new Set([0, Math.round(last / 2), last])].map((at) => points[at]!);
}

/** The drawing in a sentence. */
function spoken(label: string, points: readonly IndexPoint[]): string {
  const [first, last] = [points[0]!, points.at(-1)!];
  return (
    `${label} index from ${first.t.slice(0, 10)} to ${last.t.slice(0, 10)}: from ${level(first.value)} to ` +
    `${level(last.value)}. The table below has every day.`
  );
}

/** Every day of the chart. */
export function IndexDays({ points }: { points: readonly IndexPoint[] }) {
  return (
    <details class="days">
      <summary>Every day as a table</summary>
      <section class="scroll-x days-scroll" aria-label="Levels by day" tabIndex={0}>
        <table class="list-table" id="index-days">
          <Headings columns={['Day', ['Level', 'num'], ['Sold for', 'num'], ['Sales', 'num'], 'Basket']} />
          <tbody>
            {points.map((point) => (
              <tr key={point.t}>
                <th scope="row">
                  <Day iso={point.t.slice(0, 10)} />
                </th>
                <td class="num">{level(point.value)}</td>
                <td class="num">{usd(point.volUsdCents)}</td>
                <td class="num">{salesOf(point.n)}</td>
                <td>{point.rebalanced && `${point.membersAdded} in, ${point.membersRemoved} out`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
