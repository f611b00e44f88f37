import { chartDocument } from '../../chart/chart-document.tsx';
import { count, dayText } from '../../format.ts';
import type { ChartSale, PriceHistory } from './card-history.ts';
import { priceDrawing } from './price-chart.tsx';

/** One series over a range of UTC days, prices in US cents. */
export type PlottedSeries = { card: string; grade: string; data: PriceHistory };

/** The prices of a series as an SVG document that needs no other file, drawn as on the card's page. There is something to draw. */
export function seriesPlot({ card, grade, data }: PlottedSeries): string {
  const drawing = priceDrawing({ name: card, window: 'all', data, salesLeftOut: 0 })!;
  const isFar = drawing.notes!.some((note) => note.startsWith('Points outside'));
  return chartDocument(drawing, { title: card, ending: `, ${grade}`, notes: notesOf(data, isFar) });
}

/** Two lines that explain the drawing. */
function notesOf({ fromDay, toDay, line, stepDays, sales }: PriceHistory, isFar: boolean): string[] {
  const of = (disposition: ChartSale['disposition']) => sales.filter((sale) => sale.disposition === disposition).length;
  const [downweighted, rejected] = [of('downweighted'), of('refused')];
  const accepted = sales.length - rejected;
  const period = `US dollars, ${dayText(fromDay)} to ${dayText(toDay)} (UTC).`;
  const drawn =
    line.length === 0
      ? 'No day has a reference price.'
      : `Line: reference price at the close of ${stepDays === 1 ? 'each day' : `every ${stepDays} days`}. 80% ranges: dark of the value, light of the next sale.`;
  const hollow = downweighted === 0 ? '' : `, hollow ones down-weighted (${count(downweighted)})`;
  const dots =
    accepted === 0 ? 'No sale was accepted in these days.' : `Dots: accepted sales (${count(accepted)})${hollow}.`;
  const crosses = rejected === 0 ? '' : ` Crosses: rejected sales (${count(rejected)}).`;
  // The last day may not have closed yet.
  const priced =
    line.length === 0 || line.length * stepDays >= toDay - fromDay ? '' : ' Days without the line have no price.';
  const far = isFar ? ' Points outside the scale are drawn at its edge.' : '';
  return [`${period} ${drawn}`, `${dots}${crosses}${priced}${far}`];
}
