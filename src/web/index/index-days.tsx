import { salesOf } from '../card/card-words.ts';
import { ChartTable } from '../chart/chart-table.tsx';
import { level, usdToTheCent } from '../format.ts';
import { changeOf, type IndexPoint } from './index-chart.tsx';

/** More rows are too many to read; the download has every day. */
const MAX_ROWS = 60;

/** The days of a chart at even steps back from the newest, each with what sold since the row before. */
export function IndexDays({ points }: { points: readonly IndexPoint[] }) {
  const every = Math.ceil(points.length / MAX_ROWS);
  const rows = Array.from({ length: Math.ceil(points.length / every) }, (_, at) => {
    const end = points.length - at * every;
    return sumOf(points.slice(Math.max(0, end - every), end));
  });
  return (
    <ChartTable
      title="Show as table"
      caption={`Levels ${every === 1 ? 'by day' : `every ${every} days`}, newest first`}
      dayHead="Day"
      dayOf={({ t }) => t.slice(0, 10)}
      columns={[
        { head: 'Level', classes: 'num', cell: ({ value }) => level(value) },
        { head: every === 1 ? 'Sold for' : `Sold for, ${every} days`, classes: 'num', cell: soldFor },
        { head: 'Sales', classes: 'num', cell: ({ n }) => salesOf(n) },
        { head: 'Rebalanced', cell: changeOf },
      ]}
      rows={rows}
    />
  );
}

/** Days as one: the level of the last, the sales of all. */
function sumOf(days: readonly IndexPoint[]): IndexPoint {
  const sum = (of: (point: IndexPoint) => number) => days.reduce((total, point) => total + of(point), 0);
  const change = days.find(({ rebalanced }) => rebalanced);
  return { ...change, ...days.at(-1)!, volUsdCents: sum(({ volUsdCents }) => volUsdCents), n: sum(({ n }) => n) };
}

function soldFor({ n, volUsdCents }: IndexPoint) {
  return n === 0 ? '–' : usdToTheCent(volUsdCents);
}
