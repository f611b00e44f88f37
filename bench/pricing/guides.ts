/**
 * `node --import tsx bench/pricing/guides.ts`: prices of grades that never sold, and of old sales, on real monthly guide
 * prices (MINTMARK_TEST_DATA), as guide-figures.ts measures them.
 */
import { guideFigures } from './guide-figures.ts';

const measured = guideFigures();
if (measured !== null) {
  console.log(`${measured.cards} cards; MdAPE and bias in %   cards held out   whole sets held out   aim`);
  const text = ({ mdApePct, biasPct }: { mdApePct: number; biasPct: number }) =>
    `${mdApePct.toFixed(1).padStart(6)} ${biasPct.toFixed(1).padStart(6)}`;
  for (const { name, aim, cards, sets } of measured.figures)
    console.log(`${name.padEnd(20)} ${`${cards.forecasts}`.padStart(6)}  ${text(cards)}  ${text(sets)}   ${aim}`);
}
