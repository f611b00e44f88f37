import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, inject, test } from 'vitest';
import { guideBlock } from '../support/guide.ts';
import { freePort, startProgram, untilServing } from '../support/program.ts';
import { scratchFolder } from '../support/scratch.ts';

const GUIDE = readFileSync(new URL('../../docs/guide/first-evening.md', import.meta.url), 'utf8');
const home = scratchFolder();
const cards = (set: string, list: [number: string, name: string][]) =>
  writeFileSync(
    join(home, `pokemon-tcg-data/cards/en/${set}.json`),
    JSON.stringify(
      list.map(([number, name]) => ({
        id: `${set}-${number}`,
        name,
        number,
        supertype: 'Pokémon',
        rarity: 'Rare Holo',
      })),
    ),
  );
const sets = [
  ['base1', 'Base', '1999/01/09'],
  ['base2', 'Jungle', '1999/06/16'],
  ['neo1', 'Neo Genesis', '2000/12/16'],
  ['swsh7', 'Evolving Skies', '2021/08/27'],
].map(([id, name, releaseDate]) => ({ id, name, series: name, printedTotal: 203, total: 203, releaseDate }));

mkdirSync(join(home, 'bin'));
writeFileSync(join(home, 'bin/mintmark'), `#!/bin/sh\nexec ${process.execPath} ${inject('program')} "$@"\n`, {
  mode: 0o755,
});
for (const folder of ['cards/en', 'sets']) mkdirSync(join(home, 'pokemon-tcg-data', folder), { recursive: true });
writeFileSync(join(home, 'pokemon-tcg-data/sets/en.json'), JSON.stringify(sets));
cards('base1', [['4', 'Charizard']]);
cards('base2', [['60', 'Pikachu']]);
cards('neo1', [['70', 'Pikachu']]);
cards('swsh7', [['215', 'Umbreon VMAX']]);
writeFileSync(join(home, 'my-sales.csv'), guideBlock('first-evening.md', 'csv sales'));

const env = { HOME: home, XDG_CONFIG_HOME: join(home, '.config'), MINTMARK_DATA: join(home, 'data') };
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Runs the line of the guide that is or begins so, in the home folder, and returns what it prints. */
function follow(beginning: string, change: (line: string) => string = (line) => line): string {
  const lines = GUIDE.split('\n');
  const line = lines.find((one) => one === beginning) ?? lines.find((one) => one.startsWith(beginning));
  expect(line, beginning).toBeDefined();
  const { status, stdout, stderr } = spawnSync('sh', ['-ec', change(line!)], {
    cwd: home,
    env: { ...env, PATH: `${join(home, 'bin')}:${process.env.PATH}` },
    encoding: 'utf8',
  });
  expect(status, `${line}\n${stderr}`).toBe(0);
  return stdout + stderr;
}

test('the first evening, followed with four cards, ends with a price over HTTP', async () => {
  expect(follow('mintmark init --yes')).toContain('Next: mintmark doctor');
  expect(follow('mintmark doctor')).toContain('WARN the catalog is empty\n     → mintmark import catalog');
  expect(follow('mintmark import catalog pokemontcg')).toContain('records 4 = items 4 (new 4, known 0)');

  const dryRun = follow(
    'mintmark import sales csv my-sales.csv --set source=my-shop currency=USD sale_type=shop --dry-run',
  );
  const sum = 'rows 5 = added 3 + repeated 0 + corrected 0 + reversed 0 + rejected 1 + waiting 1';
  expect(GUIDE.includes(sum), sum).toBe(true);
  expect(dryRun).toContain(`Dry run: nothing of this was kept.\n${sum}`);
  for (const beginning of ['my-sales.csv:', 'added, line 2']) {
    const line = dryRun.split('\n').find((one) => one.startsWith(beginning))!;
    expect(GUIDE.includes(line), line).toBe(true);
  }

  const imported = follow('mintmark import sales csv my-sales.csv --set source=my-shop currency=USD sale_type=shop');
  expect(imported).toContain(sum);
  expect(imported).toContain('Waiting: mintmark sales unmatched');
  expect(imported).toContain('Not priced yet: mintmark reprice.');
  const waiting = follow('mintmark sales unmatched');
  expect(waiting).toContain('number_missing: The title has no number');
  const jungle = /^ {2}([0-9a-f-]{36}) {2}Pikachu, Jungle #60/m.exec(waiting)![1]!;
  follow('mintmark sales match my-shop A-1004', (line) => line.replace(/[0-9a-f-]{36}$/, jungle));
  expect(follow('mintmark reprice')).toMatch(/^closed \d+ days through .* with 4 sales\n/m);
  expect(follow('mintmark reprice')).toContain('nothing to do: newer sales count already');

  const key = /X-Api-Key: (\S+)\nX-Api-Secret: (\S+)/.exec(follow('mintmark keys issue my-shop'))!;
  const port = await freePort();
  const server = startProgram(['serve'], { ...env, PORT: String(port) });
  try {
    const address = await untilServing(server);
    await expect.poll(async () => (await fetch(`${address}/ready`)).status).toBe(200);
    const at = (line: string) => address + /localhost:8080([^' ]+)/.exec(line)![1]!;
    const [search, usage] = ["curl 'http://localhost:8080/v1/search", "curl -H 'X-Api-Key: mk_…'"].map((beginning) =>
      GUIDE.split('\n').find((line) => line.startsWith(beginning)),
    );
    const found = (await (await fetch(at(search!))).json()) as { results: { name: string; priceUsdCents: number }[] };
    expect(found.results[0]).toMatchObject({ name: 'Charizard', priceUsdCents: expect.any(Number) });
    const headers = { 'x-api-key': key[1]!, 'x-api-secret': key[2]! };
    expect((await fetch(at(usage!), { headers })).status).toBe(200);
  } finally {
    server.kill();
  }
  expect(await server.ended).toBe(0);
  expect(follow('mintmark backup ~/mintmark-backups')).toContain(join(home, 'mintmark-backups'));
});
