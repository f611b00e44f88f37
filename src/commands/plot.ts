import { writeFileSync } from 'node:fs';
import { gradeByKey } from '../catalog/grades.ts';
import type { Db } from '../db/client.ts';
import { ALL_DAYS } from '../items/parameters/window.ts';
import { identityOf } from '../items/summary.ts';
import { counted } from '../lib/counted.ts';
import { formatDay } from '../lib/day.ts';
import { dailyLine } from '../pricing/read/item-prices.ts';
import { acceptedSalesOf } from '../sales/sales-by-day.ts';
import { lineOf } from '../web/card/card-facts.ts';
import { salesOf } from '../web/card/card-words.ts';
import { type ChartSale, firstDayOf, pricePoints } from '../web/card/history/card-history.ts';
import { type PlottedSeries, seriesPlot } from '../web/card/history/series-plot.tsx';
import { type NamedSeries, seriesNamed } from './series-argument.ts';
import { CommandError, dayOption, EXIT, today, withWorld } from './world.ts';

/** UTC day numbers, both drawn; without `fromDay` the plot begins with the data. */
type PlottedDays = { fromDay: number | null; toDay: number };

/** `mintmark plot <item> <grade> [--from <day>] [--to <day>] [--out <file>]`: one series as an SVG. */
export async function plotCommand(
  item: string,
  grade: string,
  options: { from?: string; to?: string; out?: string },
): Promise<void> {
  const days = {
    fromDay: options.from === undefined ? null : dayOption('--from', options.from),
    toDay: options.to === undefined ? today() : dayOption('--to', options.to),
  };
  if (days.fromDay !== null && days.fromDay > days.toDay)
    throw new CommandError(`--from must not be after --to (${formatDay(days.toDay)})`, EXIT.usage);
  await withWorld(async ({ db }) => {
    const plotted = await readPlotted(db, await seriesNamed(db, item, grade), days);
    const svg = seriesPlot(plotted);
    if (options.out === undefined) process.stdout.write(svg);
    else {
      writeFileSync(options.out, svg);
      console.log(
        `${options.out}: ${plotted.card}, ${plotted.grade}, ${salesOf(plotted.data.sales.length)}, ${counted(plotted.data.line.length, 'day')} with a price`,
      );
    }
  });
}

/** What is drawn of a series. Throws CommandError where there is neither a price nor an accepted sale in these days. */
async function readPlotted(db: Db, series: NamedSeries, { fromDay, toDay }: PlottedDays): Promise<PlottedSeries> {
  const { item, gradeKey, soldKeys } = series;
  const from = fromDay ?? toDay - ALL_DAYS + 1;
  const [daily, accepted] = await Promise.all([
    dailyLine(db, item.id, gradeKey, from, toDay),
    acceptedSalesOf(db, { itemId: item.id, gradeKey, fromDay: from, toDay }),
  ]);
  const card = lineOf(identityOf(item));
  const grade = gradeByKey(gradeKey)!.label;
  const line = pricePoints(daily);
  const sales = accepted.map(
    ({ day, usdCents, isDownweighted }): ChartSale => ({
      day,
      value: usdCents,
      disposition: isDownweighted ? 'downweighted' : 'used',
    }),
  );
  if (line.length + sales.length === 0) {
    const period = fromDay === null ? `up to ${formatDay(toDay)}` : `from ${formatDay(fromDay)} to ${formatDay(toDay)}`;
    const others = soldKeys.length === 0 ? 'it has no grade with a sale' : `its grades are ${soldKeys.join(', ')}`;
    throw new CommandError(`${card}, ${grade} has neither a price nor an accepted sale ${period}; ${others}`);
  }
  const data = { line, sales, stepDays: 1, listings: [], events: [], toDay };
  return { card, grade, data: { ...data, fromDay: fromDay ?? firstDayOf([...line, ...sales], toDay) } };
}
