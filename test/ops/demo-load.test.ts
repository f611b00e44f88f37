import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAudit } from '../../src/audit/run-audit.ts';
import { GAMES } from '../../src/catalog/games.ts';
import { parseDay } from '../../src/lib/day.ts';
import { demoArtAt } from '../../src/ops/demo/demo-art.ts';
import { loadDemo } from '../../src/ops/demo/demo-load.ts';
import { MODEL_VERSION } from '../../src/pricing/model/params.ts';
import { BASE_URL, type TestApp, testApp } from '../support/app.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { likeRows } from '../support/pages/like-rows.ts';

const TODAY = '2026-11-21';

let database: FreshDatabase;
let api: TestApp;

beforeAll(async () => {
  database = await freshDatabase();
  await loadDemo(database.db, parseDay(TODAY)!, () => {});
  api = await testApp(database.db, { today: TODAY });
});
afterAll(async () => {
  await api.app.close();
  await database.close();
});

describe('the demo', () => {
  test('has at least forty cards of each game, several sets, languages and variations', async () => {
    const rows = await database.db.query<{ game: string; cards: number; sets: number; variations: number }>(
      `select game, count(distinct (set_id, number, name)) as cards, count(distinct set_id) as sets, count(variation) as variations
       from items group by game`,
    );
    expect(rows.map((row) => row.game).sort()).toEqual([...GAMES].sort());
    for (const { game, cards, sets, variations } of rows) {
      expect(cards, game).toBeGreaterThanOrEqual(40);
      expect(sets, game).toBeGreaterThanOrEqual(2);
      expect(variations, game).toBeGreaterThan(0);
    }
  });

  test('has nothing suspect: its printings rise and fall together', async () => {
    expect(await runAudit(database.db)).toMatchObject({ found: 0, withheld: 0 });
  });

  test('prices most cards, shows rejected sales with their reasons, and names every source simulated', async () => {
    const [row] = await database.db.query<{ items: number; reasons: string[]; named: boolean }>(
      `select (select count(distinct item_id) from card_states) as items,
         (select array_agg(distinct rejection) from sales where rejection is not null) as reasons,
         (select bool_and(id like 'simulated-%' and display_name like 'Simulated %') from sources
            where id in (select source from sales)) as named`,
    );
    expect(row!.items).toBeGreaterThan(600);
    expect(row!.reasons).toEqual(expect.arrayContaining(['lot', 'absurd_price', 'company_unsupported', 'duplicate']));
    expect(row!.named).toBe(true);
    const { json } = await api.get('/v1/items/featured?limit=12');
    expect(json.cards.length).toBeGreaterThan(0);
    expect(demoArtAt(new URL(json.cards[0].imageUrl, BASE_URL).pathname)).toMatch(/simulated/);
  });

  test('shows no two cards alike in any list of its pages, feeds and Markdown', async () => {
    const sets = await database.db.query<{ href: string }>(
      `select '/card/' || game || '/' || segment as href from sets`,
    );
    const { indices } = (await api.get('/v1/indices')).json;
    const paths = [
      '/',
      '/movers.xml',
      ...indices.flatMap(({ slug }: { slug: string }) => [`/indices/${slug}`, `/indices/${slug}.md`]),
      ...sets.flatMap(({ href }) => [href, `${href}.md`]),
      ...['charizard', 'ace psa 10', 'ty cobb', 'one piece'].map((q) => `/search?q=${encodeURIComponent(q)}`),
    ];
    const alike: Record<string, string[]> = {};
    for (const path of paths) {
      const found = likeRows((await api.get(path)).text);
      if (found.length > 0) alike[path] = found;
    }
    expect(alike).toEqual({});
  }, 120_000);

  test('is loaded once', async () => {
    const count = () => database.db.query('select count(*) from sales');
    const before = await count();
    expect(await loadDemo(database.db, parseDay(TODAY)! + 1, () => {})).toBe(false);
    expect(await count()).toEqual(before);
  });

  test('goes on when a newer program has another version of the price model', async () => {
    await database.db.query(`update model_state set version = '2'`);
    expect(await loadDemo(database.db, parseDay(TODAY)! + 1, () => {})).toBe(false);
    const versions = 'select version from price_versions union all select version from model_state';
    expect(await database.db.query(versions)).toEqual([{ version: '2' }, { version: MODEL_VERSION }]);
  });
});
