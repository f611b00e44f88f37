import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCsvWorld } from './csv-world.ts';

let world: Awaited<ReturnType<typeof openCsvWorld>>;
let item: string;
beforeAll(async () => {
  world = await openCsvWorld();
  item = world.item;
});
afterAll(() => world.close());
const file = (content: string | Buffer) => world.file(content);

test('a dry run keeps nothing and shows the first rows of each outcome', async () => {
  const HEAD = 'item_id,title,company,grade,price,currency,sold_at,source,sale_id';
  const path = file(
    [
      HEAD,
      `${item},,PSA,10,77.00,USD,2026-05-01,shop,d1`,
      `${item},,PSA,10,0.10,USD,2026-05-01,shop,d2`,
      `,Some card nobody knows #999,PSA,10,5.00,USD,2026-05-01,shop,d3`,
      `${item},,PSA,10,nothing,USD,2026-05-01,shop,d4`,
      `${item},,PSA,8.25,5.00,USD,2026-05-01,shop,d5`,
    ].join('\n'),
  );
  const tables = () =>
    world.db.query(
      `select (select count(*) from sales) as s, (select count(*) from waiting_sales) as w,
         (select count(*) from rejected_rows) as r, (select count(*) from imports) as i`,
    );
  const before = await tables();
  const { code, printed } = await world.importCsv(path, '--dry-run');
  expect(code).toBe(5);
  expect(printed).toMatch(/^added, line 2: \$77\.00 on 2026-05-01 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(printed).toMatch(/^rejected, line 3: absurd_price: price \$0\.10: PSA 10 Gem Mint: d2$/m);
  expect(printed).toMatch(/^rejected, line 6: grade_unsupported: PSA 8\.25: d5$/m);
  expect(printed).toMatch(
    /^rejected, line 5: bad_price: price "nothing" is not a price such as 2,450\.00 or \$24: .*,PSA,10,nothing,USD/m,
  );
  expect(printed).toMatch(/^waiting, line 4: .*Some card nobody knows/m);
  expect(printed).toContain('Dry run: nothing of this was kept.');
  expect(printed).toContain('rows 5 = added 1');
  expect(await tables()).toEqual(before);
  // The same file is then imported as announced.
  expect((await world.importCsv(path)).printed).toContain('rows 5 = added 1');
  expect((await world.importCsv(path, '--dry-run')).printed).toContain('repeated 3');
  // One that waits is listed with what it states.
  expect((await world.run('sales', 'unmatched')).printed).toMatch(
    /^shop d3 {2}2026-05-01 {2}\$5\.00, PSA 10 {2}Some card nobody knows #999$/m,
  );
  expect(JSON.parse((await world.run('sales', 'unmatched', '--json')).printed)).toMatchObject({
    unmatched: [{ saleId: 'd3', priceMinor: 500, currency: 'USD', company: 'PSA', grade: '10' }],
  });
});

test('a dry run names what would be canceled, and says that the others would be imported', async () => {
  const HEAD = 'item_id,company,grade,price,currency,sold_at,source,sale_id,status';
  const row = (rest: string) => `${item},PSA,10,88.00,USD,2026-05-02,shop,${rest}`;
  await world.importCsv(file(`${HEAD}\n${row('r1,')}\n`));
  const { printed, errors, code } = await world.importCsv(
    file(`${HEAD}\n${row('r1,voided')}\n${item},PSA,10,,USD,2026-05-02,shop,r2,\n`),
    '--dry-run',
  );
  expect(code).toBe(5);
  expect(printed).toMatch(/^reversed: \$88\.00 on 2026-05-02 → Charizard #4 PSA 10 Gem Mint$/m);
  expect(errors).toMatch(/:3: the price is empty \(bad_price\)/);
  expect(errors).toContain('1 of 2 rows could not be used; the others would be imported');
});
