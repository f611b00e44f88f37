/**
 * `node --import tsx bench/pricing/methodology.ts [--check]`: measures what docs/methodology states of prices, prints the
 * tables and pastes them between their marks; with `--check` it pastes nothing and ends with 1 where a page says something else.
 * Tables of real data are left as they are where that is absent (MINTMARK_TEST_DATA).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { backtest } from '../../src/pricing/backtest.ts';
import { pasted } from '../pasted.ts';
import { guideFigures } from './guide-figures.ts';
import { exampleDrawing } from './methodology/example-drawing.ts';
import { exampleTable, parametersTable } from './methodology/fixed-tables.ts';
import { guidesTable, lossesTable, type Measured, samplesTable } from './methodology/measured-tables.ts';
import { realSamples } from './methodology/real-sales.ts';
import { simulatedMarkets } from './methodology/simulated-sales.ts';
import { workedExample } from './methodology/worked-example.ts';

const FOLDER = new URL('../../docs/methodology/', import.meta.url);
const isCheck = process.argv.includes('--check');

const example = workedExample();
const tables = new Map([
  ['parameters', parametersTable()],
  ['simulated sales', samplesTable(await simulatedMarkets())],
]);
const [samples, guides] = [await realSamples(), guideFigures()];
if (samples !== null && guides !== null) {
  const measured: Measured[] = [];
  for (const { name, sales } of samples) measured.push({ name, table: await backtest(sales) });
  tables.set('real sales', samplesTable(measured));
  tables.set('where simple rules win', lossesTable(measured));
  tables.set('grades that never sold', guidesTable(guides.figures));
}
keep('in-plain-words.md', (page) => pasted(page, 'worked example', exampleTable(example)));
keep('worked-example.svg', () => exampleDrawing(example));
keep('pricing.md', (page) => [...tables].reduce((text, [name, table]) => pasted(text, name, table), page));
for (const [name, table] of tables) console.log(`${name}\n${table}\n`);

/** Writes a file anew; with `--check` it reports where the file says something else. */
function keep(file: string, renew: (before: string) => string): void {
  const place = new URL(file, FOLDER);
  const before = readFileSync(place, { encoding: 'utf8', flag: 'a+' });
  const after = renew(before);
  if (!isCheck) writeFileSync(place, after);
  else if (after !== before) {
    console.error(`docs/methodology/${file} does not state what was measured; run this command without --check`);
    process.exitCode = 1;
  }
}
