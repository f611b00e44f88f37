import { openDb } from './src/db/client.ts';
import { ensureSources } from './src/sales/known-sources.ts';
import { csv, importFile, rowOf, salesFiles, TODAY, ledgerOf } from './test/sales/import-world.ts';
import { runDecisions } from './test/sales/deciding/deciding-world.ts';
import { runWord, scripted, seen, runScript } from './test/sales/undoing/undo-world.ts';
const db = openDb({ connection: { connectionString: process.env.U! }, poolSize: 2 } as any);
const files = salesFiles();
const salt0 = String(Date.now() % 1e8).padStart(8, '0');
const id = (n: number) => `${salt0}-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;
await db.query(`insert into sets (game, segment, name, identity) values ('pokemon','b','B','pokemon|b') on conflict do nothing`);
await db.query(`insert into items (id, game, set_id, number, name, language, stem, identity_key) select x::uuid, 'pokemon', (select min(id) from sets), n::text, 'Card', 'English', n || '-card', x from unnest($1::text[]) with ordinality u(x, n) on conflict do nothing`, [Array.from({ length: 40 }, (_, n) => id(n))]);
await ensureSources(db, ['ebay', 'goldin']);
const salt = String(Date.now() % 1e7);
let fails = 0;
async function step(name: string, f: () => Promise<unknown>) {
  try { console.log(name, JSON.stringify(await f())); } catch (e: any) { fails++; console.log('FAIL', name, e.message.slice(0, 200), (e.query ?? '').slice(0, 0), (e.stack ?? '').split('\n').filter((l: string) => l.includes('/src/')).slice(0, 3).join(' | ')); }
}
const sale = (n: string, o = {}) => rowOf(id(1), { sale_id: salt + n, ...o });
const imp = async (...rows: string[]) => { const { rows: _, importId, ...r } = (await importFile(db, files.write(csv(...rows)))).report; return r; };
await step('fresh', () => imp(sale('1'), sale('2'), sale('2'), sale('3', { status: 'voided' })));
await step('again', () => imp(sale('1'), sale('2'), sale('2'), sale('3', { status: 'voided' })));
await step('correct', () => imp(sale('1', { price: '120' }), sale('2', { item_id: id(2) })));
await step('old again', () => imp(sale('1'), sale('2')));
await step('cancel', () => imp(sale('1', { status: 'voided' }), sale('9'), sale('9', { status: 'unpaid' })));
await step('cert', () => imp(sale('20', { cert: salt }), rowOf(id(3), { sale_id: salt + '21', cert: salt, source: 'goldin' })));
await step('cert later', () => imp(rowOf(id(5), { sale_id: salt + '22', cert: salt, source: 'goldin' })));
for (const [k, script] of ['A=100 -A', 'A=100 B=120 -B', 'A=100 B=120 -A +A', 'A=100 V! -V', 'A=100 -A A2=100'].entries())
  await step('undo ' + script, async () => { const w = scripted(db, id(10 + k), files); await runScript(w, script); return seen(db, id(10 + k)); });
for (const [k, script] of ['W?100 mX', 'W?100 mX -mX', 'W?100 d -d', 'A=100 mY -mY', 'A=100 d -d', 'A=100 mY B=120', 'W?100 mX V! -mX', 'W?100 mX -W +W', 'A=100 mY -A +A -mY'].entries())
  await step('decide ' + script, async () => { const cards = { X: id(20 + 2 * k), Y: id(21 + 2 * k) }; await runDecisions({ db, files, cards, saleId: salt + 'd' + k, today: TODAY, imports: new Map(), decisions: new Map() }, script); return [await seen(db, cards.X), await seen(db, cards.Y)]; });
console.log(fails, 'failed');
files.remove(); await db.close();
