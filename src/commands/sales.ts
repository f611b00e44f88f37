import { GAMES, isGame } from '../catalog/games.ts';
import { gradeByKey } from '../catalog/grades.ts';
import { withCandidates } from '../desk/candidate-items.ts';
import { itemHref } from '../items/item-row.ts';
import { itemNamed } from '../items/locate/named-item.ts';
import { identityOf } from '../items/summary.ts';
import { dayOf, formatDay } from '../lib/day.ts';
import { dropSale } from '../sales/deciding/drop-sale.ts';
import { matchSale } from '../sales/deciding/match-sale.ts';
import type { SaleName } from '../sales/deciding/sale-named.ts';
import { teachAlias } from '../sales/deciding/teach-alias.ts';
import { listUnmatched, rematch, type UnmatchedSale } from '../sales/import/waiting.ts';
import { listRejected } from '../sales/rejected.ts';
import { loadTitles } from '../sales/titles.ts';
import { lineOf } from '../web/card/card-facts.ts';
import { amountOf } from '../web/card/card-words.ts';
import { type DeciderOptions, deciderOf } from './deciding.ts';
import { formatReport } from './import-sales.ts';
import { importId, importNamed } from './imports.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { agreedToday, CommandError, EXIT, limitOption, withWorld } from './world.ts';

/** `mintmark sales rejected [--import <id>]`: rows that are in no price, with their file and line. */
export async function rejectedCommand(options: JsonOption & { limit: string; import?: string }): Promise<void> {
  const limit = limitOption(options.limit);
  const ofImport = options.import === undefined ? null : importId(options.import);
  await withWorld(async ({ db }) => {
    if (ofImport !== null) await importNamed(db, ofImport);
    const rejected = await listRejected(db, limit, { importId: ofImport });
    report(options, { rejected }, () =>
      tableOf(
        ['import', 'file', 'line', 'reason', 'row'],
        rejected.map(({ importId, file, line, reason, row }) => [importId, file, line, reason, row]),
      ),
    );
  });
}

/** `mintmark sales unmatched`: the queue of sales whose card could not be identified, with what each may be. */
export async function unmatchedCommand(options: JsonOption & { limit: string }): Promise<void> {
  const limit = limitOption(options.limit);
  await withWorld(async ({ db }) => {
    const { sales, total, byReason } = await listUnmatched(db, limit);
    const suggested = sales.length === 0 ? [] : await withCandidates(db, sales, await loadTitles(db));
    const unmatched = suggested.map(({ candidates, soldAtMs, sourceSaleId: saleId, ...sale }) => ({
      source: sale.source,
      saleId,
      title: sale.title,
      soldOn: formatDay(dayOf(soldAtMs)),
      ...{ priceMinor: sale.priceMinor, currency: sale.currency, company: sale.company, grade: sale.grade },
      item: sale.item,
      ...{ reason: sale.reason, because: sale.because, importId: sale.importId, file: sale.file, line: sale.line },
      candidates: candidates.map(({ item, why }) => ({
        itemId: item.id,
        card: lineOf(identityOf(item)),
        href: itemHref(item, null),
        why,
      })),
    }));
    report(options, { total, byReason, unmatched }, () => {
      const lines = unmatched.flatMap((sale) => [
        `${sale.source} ${sale.saleId}  ${sale.soldOn}  ${statedOf(sale)}  ${sale.title ?? `(no title; ${sale.item.by} ${sale.item.value})`}`,
        `  ${sale.reason}: ${sale.because}${sale.file === null ? '' : ` ${sale.file}:${sale.line}`}`,
        ...sale.candidates.map(({ itemId, card, why }) => `  ${itemId}  ${card}: ${why}`),
      ]);
      const reasons = Object.entries(byReason).map(([reason, count]) => `${reason} ${count}`);
      const sum = `${total === 1 ? '1 sale waits' : `${total} sales wait`}${reasons.length > 0 ? `: ${reasons.join(', ')}` : ''}`;
      const how =
        'To decide: mintmark sales match <source> <sale-id> <item>, or mintmark sales drop <source> <sale-id>. <item> is an id, or the path of any card’s page: /card/…';
      return [...lines, sum, ...(total > 0 ? [how] : [])];
    });
  });
}

/** `$80.00, PSA 10`: what a waiting sale states besides its card. */
function statedOf(sale: Pick<UnmatchedSale, 'priceMinor' | 'currency' | 'company' | 'grade'>): string {
  const grade = [sale.company, sale.grade].filter((word) => word !== null).join(' ');
  return [amountOf({ ...sale, priceUsdCents: null }), grade].filter((part) => part !== '').join(', ');
}

/** `mintmark sales rematch` */
export async function rematchCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db }) => {
    const counts = await rematch(db, { today: await agreedToday(db) });
    report(options, counts, () => [formatReport(counts)]);
  });
}

/** `mintmark sales match <source> <sale_id> <item> [--grade <grade>]` */
export async function matchCommand(
  name: SaleName,
  itemText: string,
  options: JsonOption & DeciderOptions & { grade?: string },
): Promise<void> {
  const grade = options.grade === undefined ? null : gradeByKey(options.grade);
  if (options.grade !== undefined && grade === null)
    throw new CommandError(`--grade takes a grade such as psa-10 or raw-A, not "${options.grade}"`, EXIT.usage);
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const { item } = await itemNamed(db, itemText);
    const matched = await matchSale(db, name, { itemId: item.id, grade }, decider, await agreedToday(db));
    report(options, { ...name, itemId: item.id, card: lineOf(identityOf(item)), ...matched }, () => [
      `${name.source} ${name.saleId} is a sale of ${lineOf(identityOf(item))} in ${matched.gradeLabel}${
        matched.rejection === null ? '' : `, and in no price: ${matched.rejection}`
      }`,
      takeBackLine(matched.decision),
    ]);
  });
}

/** `mintmark sales drop <source> <sale_id>` */
export async function dropCommand(name: SaleName, options: JsonOption & DeciderOptions): Promise<void> {
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const decision = await dropSale(db, name, decider, await agreedToday(db));
    report(options, { ...name, decision }, () => [
      `${name.source} ${name.saleId} is dropped; it stays out, whatever files report of it`,
      takeBackLine(decision),
    ]);
  });
}

/** `mintmark sales alias <game> <said> <meant>` */
export async function aliasCommand(
  game: string,
  said: string,
  meant: string,
  options: JsonOption & DeciderOptions,
): Promise<void> {
  if (!isGame(game)) throw new CommandError(`"${game}" is not a game: ${GAMES.join(', ')}`, EXIT.usage);
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const { decision, name } = await teachAlias(db, { game, said, meant }, decider);
    report(options, { game, said, meant: name, decision }, () => [
      `in titles of ${game}, "${said}" means ${name}; "mintmark sales rematch" tries the sales that wait again`,
      takeBackLine(decision),
    ]);
  });
}

function takeBackLine(decision: number): string {
  return `To take this back: mintmark decisions undo ${decision}`;
}
