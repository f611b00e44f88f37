import { decideSuspect } from '../../audit/decide-suspect.ts';
import { isGame } from '../../catalog/games.ts';
import { gradeByKey } from '../../catalog/grades.ts';
import { CannotDecide, type Decider } from '../../decisions/decisions.ts';
import { pauseService, resumeService, retryService } from '../../desk/pause-service.ts';
import { takeBack, takenBackWords } from '../../desk/take-back.ts';
import { effectOf } from '../../desk/undo-words.ts';
import { accept, reject } from '../../intake/queue.ts';
import { itemNamed, UnknownItem } from '../../items/locate/named-item.ts';
import { identityOf } from '../../items/summary.ts';
import { dayOf } from '../../lib/day.ts';
import { UUID } from '../../lib/uuid.ts';
import { dropSale } from '../../sales/deciding/drop-sale.ts';
import { matchSale } from '../../sales/deciding/match-sale.ts';
import { teachAlias } from '../../sales/deciding/teach-alias.ts';
import { undoImport } from '../../sales/undoing/undo-import.ts';
import { lineOf } from '../card/card-facts.ts';
import { rejectionWords } from '../card/card-words.ts';
import type { DeskNotice } from './desk-session.ts';
import type { DeskWorld } from './desk-world.ts';

/** The fields of a form of the desk. */
export type DeskFields = Readonly<Record<string, string>>;

const MAX_WHY_CHARS = 500;
const MAX_NAME_CHARS = 300;

/** What each form does, by the last part of its address; every one is a command too. */
const ACTIONS: Readonly<
  Record<string, (world: DeskWorld, fields: DeskFields, decider: Decider) => Promise<DeskNotice>>
> = {
  sale: decideSale,
  alias: teachOneAlias,
  form: decideForm,
  import: undoOneImport,
  service: changeCalls,
  suspect: decideOneSuspect,
  'take-back': takeBackOne,
};

/** Does what a form asks for; a decision that cannot be made is a notice that says why. Null: there is no such form. */
export async function act(world: DeskWorld, action: string, fields: DeskFields): Promise<DeskNotice | null> {
  if (!Object.hasOwn(ACTIONS, action)) return null;
  try {
    return await ACTIONS[action]!(world, fields, { by: world.by, why: fields.why?.slice(0, MAX_WHY_CHARS) ?? null });
  } catch (error) {
    if (error instanceof CannotDecide || error instanceof UnknownItem)
      return { kind: 'fault', text: sentence(error.message) };
    throw error;
  }
}

async function decideSale({ db, clock }: DeskWorld, fields: DeskFields, decider: Decider): Promise<DeskNotice> {
  const { source = '', saleId = '', item, other, grade: gradeKey, what } = fields;
  const name = { source: source.slice(0, MAX_NAME_CHARS), saleId: saleId.slice(0, MAX_NAME_CHARS) };
  const today = dayOf(clock());
  if (what === 'drop') {
    const decision = await dropSale(db, name, decider, today);
    return done(decision, `${name.source} ${name.saleId} is dropped; it stays out, whatever files report of it.`);
  }
  const named = other ?? item;
  if (what !== 'match' || named === undefined)
    throw new CannotDecide('Choose the card, or name another by its id or the address of its page.');
  const grade = gradeKey === undefined ? null : gradeByKey(gradeKey);
  if (gradeKey !== undefined && grade === null) throw new CannotDecide(`"${gradeKey}" is not a grade.`);
  const { item: card } = await itemNamed(db, named.slice(0, MAX_NAME_CHARS));
  const { decision, gradeLabel, rejection } = await matchSale(db, name, { itemId: card.id, grade }, decider, today);
  const out = rejection === null ? '' : `, and in no price: ${rejectionWords(rejection)}`;
  return done(
    decision,
    `${name.source} ${name.saleId} is a sale of ${lineOf(identityOf(card))} in ${gradeLabel}${out}.`,
  );
}

async function teachOneAlias(
  { db }: DeskWorld,
  { game = '', said = '', meant = '' }: DeskFields,
  decider: Decider,
): Promise<DeskNotice> {
  if (!isGame(game)) throw new CannotDecide('Choose the game.');
  const alias = { game, said: said.slice(0, MAX_NAME_CHARS), meant: meant.slice(0, MAX_NAME_CHARS) };
  const { decision, name } = await teachAlias(db, alias, decider);
  return done(
    decision,
    `In titles, “${alias.said}” means ${name}. "mintmark sales rematch" tries sales that wait again.`,
  );
}

async function decideForm(
  { db, clock, pepper }: DeskWorld,
  fields: DeskFields,
  { by, why }: Decider,
): Promise<DeskNotice> {
  const { id = '', what } = fields;
  if (!UUID.test(id)) throw new CannotDecide('There is no such form.');
  const decision = { by, nowMs: clock(), reason: why };
  if (what === 'accept') {
    const { kind, key, fields: sent } = await accept(db, await pepper(), id, decision);
    const text =
      kind === 'report' ? 'The report is accepted; its reason is published.' : 'The application is accepted.';
    return { kind: 'done', text, ...(key !== null && { key: { ...key, contactEmail: sent.contactEmail! } }) };
  }
  if (why === null) throw new CannotDecide('A rejection needs a reason.');
  await reject(db, id, { ...decision, reason: why });
  return { kind: 'done', text: 'It is rejected. The decision can be taken back under Decisions.' };
}

async function undoOneImport({ db, clock }: DeskWorld, { id = '' }: DeskFields, decider: Decider): Promise<DeskNotice> {
  const done = await undoImport(db, wholeId(id), decider, dayOf(clock()));
  const text =
    done.decision === null
      ? `Import ${id} was undone before; nothing changed.`
      : `Import ${id} is undone: ${effectOf(done)} Decision ${done.decision} can be taken back.`;
  return { kind: 'done', text };
}

async function changeCalls(
  { db, config: { connections }, clock }: DeskWorld,
  { id = '', what }: DeskFields,
  decider: Decider,
): Promise<DeskNotice> {
  const today = dayOf(clock());
  if (what === 'pause') return done(await pauseService({ db, connections, today }, id, decider), `${id} is paused.`);
  if (what === 'resume') {
    await resumeService(db, id, decider, today);
    return { kind: 'done', text: `${id} is called again.` };
  }
  if (what !== 'retry') throw new CannotDecide('Choose what to do with the service.');
  await retryService({ db, connections }, id);
  return { kind: 'done', text: `The faults of ${id} are forgotten; the next call is made.` };
}

async function decideOneSuspect(
  { db }: DeskWorld,
  { id = '', what }: DeskFields,
  decider: Decider,
): Promise<DeskNotice> {
  if (what !== 'right' && what !== 'wrong') throw new CannotDecide('Choose whether the identity is right or wrong.');
  if (decider.why === null) throw new CannotDecide('A decision on a suspect needs a reason.');
  const decision = await decideSuspect(db, wholeId(id), what, decider);
  return done(decision, `Suspect ${id} is ${what}${what === 'right' ? ': its prices are back' : ''}.`);
}

async function takeBackOne({ db, clock }: DeskWorld, { id = '' }: DeskFields, decider: Decider): Promise<DeskNotice> {
  const decision = await takeBack(db, wholeId(id), decider, dayOf(clock()));
  return { kind: 'done', text: sentence(takenBackWords(decision)) };
}

function wholeId(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new CannotDecide(`There is nothing with the id "${text.slice(0, 20)}".`);
  return Number(text);
}

function done(decision: number, text: string): DeskNotice {
  return { kind: 'done', text: `${text} Decision ${decision} can be taken back.` };
}

function sentence(text: string): string {
  const upper = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(upper) ? upper : `${upper}.`;
}
