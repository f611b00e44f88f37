import { dayOf } from '../../../lib/day.ts';
import { type ItemPrices, lineOfPrices } from '../../../pricing/read/item-prices.ts';
import { type DayReading, Drawing } from '../../chart/chart.tsx';
import { type DayValue, linePath, scaleOf } from '../../chart/chart-shape.ts';
import type { Mark } from '../../chart/plot.tsx';
import type { WebContext } from '../../context.ts';
import { dayText, usd } from '../../format.ts';

/** The grades that most cards of a game sell at, highest first, each with the look of its line. */
const MAIN_GRADES = [
  ['psa-10', 'PSA 10', 'line'],
  ['psa-9', 'PSA 9', 'compared'],
  ['raw-A', 'Ungraded, Near Mint', 'third'],
] as const satisfies readonly (readonly [key: string, name: string, kind: Mark['kind']])[];
const SHOWN_DAYS = 365;
const STEP_DAYS = 7;
const ROUND = [1, 2, 5];

/** The prices of one grade, US cents, of its priced days in order, `STEP_DAYS` apart. */
type GradeLine = { kind: Mark['kind']; name: string; points: readonly DayValue[] };

/** A year of prices at the main grades, by the week, back from the last close; of a card without any of them, none. */
export async function gradeLines({ db, clock }: WebContext, prices: ItemPrices): Promise<GradeLine[]> {
  const toDay = dayOf(clock());
  const lines = await Promise.all(
    MAIN_GRADES.map(async ([key, name, kind]) => {
      const line = await lineOfPrices(db, prices, key, toDay - SHOWN_DAYS + 1, toDay);
      const weekly = line.filter(({ day }) => (line.at(-1)!.day - day) % STEP_DAYS === 0);
      const points = weekly.flatMap(({ day, usdCents }) => (usdCents === null ? [] : [{ day, value: usdCents }]));
      return { kind, name, points };
    }),
  );
  return lines.filter(({ points }) => points.length > 1);
}

/** Several grades in one picture. Its scale is logarithmic: equal heights are equal percents at every grade. */
export function GradesChart({ name, lines }: { name: string; lines: readonly GradeLine[] }) {
  const all = lines.flatMap(({ points }) => points);
  const days = all.map(({ day }) => day);
  const values = all.map(({ value }) => value);
  const ticks = roundBetween(Math.min(...values), Math.max(...values)).map(Math.log10);
  const scale = scaleOf(Math.min(...days), Math.max(...days), ticks);
  const readings = readingsOf(lines);
  const [day, prices] = readings.at(-1)!.texts;
  return (
    <div class="chart">
      <Drawing
        summary={`Chart of ${name}, 1 year: ${lines.map(courseOf).join('; ')}. The table of all grades has today’s prices.`}
        scale={scale}
        tickText={(tick) => usd(Math.round(10 ** tick)).replace(/\.00$/, '')}
        marks={lines.map((line) => ({
          kind: line.kind,
          label: line.name,
          path: linePath(line.points.map(inLog), STEP_DAYS, scale),
        }))}
        readout={
          <>
            Close of <span data-reading>{day}</span> <strong data-reading>{prices}</strong>
          </>
        }
        readings={readings}
        notes={['Logarithmic scale: moves of the same percentage are equally high.']}
      />
    </div>
  );
}

function inLog({ day, value }: DayValue): DayValue {
  return { day, value: Math.log10(value) };
}

/** The days of the first line that has any, with the prices of all. */
function readingsOf(lines: readonly GradeLine[]): DayReading[] {
  const byDay = lines.map(({ points }) => new Map(points.map(({ day, value }) => [day, value])));
  return lines[0]!.points.map((point) => {
    const prices = lines.flatMap(({ name }, at) => {
      const cents = byDay[at]!.get(point.day);
      // A name and its price stay on one line.
      return cents === undefined ? [] : [`${name} ${usd(cents)}`.replaceAll(' ', '\u00a0')];
    });
    const { day, value } = inLog(point);
    return { day, value, texts: [dayText(day), prices.join(' · ')] };
  });
}

function courseOf({ name, points }: GradeLine): string {
  return `${name} from ${usd(points[0]!.value)} to ${usd(points.at(-1)!.value)}`;
}

/** Amounts of 1, 2 or 5 × 10ⁿ from the last one below `low` to the first one above `high`. */
function roundBetween(low: number, high: number): number[] {
  const power = Math.floor(Math.log10(low));
  const amounts = Array.from({ length: 3 * (Math.ceil(Math.log10(high)) - power + 2) }, (_, at) => {
    return ROUND[at % 3]! * 10 ** (power + Math.floor(at / 3));
  });
  const from = amounts.findLastIndex((one) => one <= low);
  const to = amounts.findIndex((one) => one >= high && one > amounts[from]!);
  return amounts.slice(from, to + 1);
}
