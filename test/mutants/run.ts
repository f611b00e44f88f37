/**
 * `npm run mutants`: whether the tests notice faults. Without arguments both parts, one after the other; `-- --pure [files]`
 * the mutants that Stryker makes of pure files, `-- --hand [words]` those made by hand of which a word is in the name.
 */
import { runHandMade } from './hand.ts';
import { runPure } from './pure.ts';

const [part, ...rest] = process.argv.slice(2);
if (part !== undefined && part !== '--pure' && part !== '--hand') {
  console.error('usage: npm run mutants [-- --pure [files] | --hand [words]]');
  process.exit(2);
}
const isPureDone = part === '--hand' || (await runPure(rest));
const isHandDone = part === '--pure' || (await runHandMade(rest));
process.exit(isPureDone && isHandDone ? 0 : 1);
