/**
 * `node --import tsx bench/indices/indices.ts <synthetic [1,2,…] | attack | guide>`: what the index method promises, each figure
 * with its aim. `synthetic` (of the markets numbered, sixteen when none are) and `attack` need the prototype's market
 * generator (MINTMARK_REFERENCE), `guide` the monthly guide prices (MINTMARK_TEST_DATA).
 */
const PARTS: Record<string, () => Promise<{ run: () => Promise<void> }>> = {
  synthetic: () => import('./indices-synthetic.ts'),
  attack: () => import('./indices-attack.ts'),
  guide: () => import('./indices-guide.ts'),
};

const part = PARTS[process.argv[2] ?? ''];
if (part === undefined) {
  console.error(`usage: bench/indices/indices.ts <${Object.keys(PARTS).join(' | ')}>`);
  process.exit(2);
}
await (await part()).run();
