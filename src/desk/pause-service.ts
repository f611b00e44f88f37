import type { Connections } from '../connections.ts';
import type { Db } from '../db/client.ts';
import { CannotDecide, type Decider, decisionOn, keepDecision } from '../decisions/decisions.ts';
import { forgetFaults, setPaused } from '../http/outbound/service-client-state.ts';
import { FOLDER_KIND } from '../sales/sources/watched-folder.ts';
import { takeBack } from './take-back.ts';

/** The sources and graders that are called; a watched folder is not. */
export function calledServices({ sources, graders }: Pick<Connections, 'sources' | 'graders'>) {
  return [...sources.filter(({ kind }) => kind !== FOLDER_KIND), ...graders];
}

/** Throws CannotDecide for an id that no connection has whose service is called. */
function checkService(connections: Pick<Connections, 'sources' | 'graders'>, id: string): void {
  const ids = calledServices(connections).map((one) => one.id);
  if (ids.includes(id)) return;
  const known = ids.length === 0 ? 'no service is connected' : `the connected services are ${ids.join(', ')}`;
  throw new CannotDecide(`There is no service "${id.slice(0, 100)}": ${known}.`);
}

type World = { db: Db; connections: Pick<Connections, 'sources' | 'graders'>; today: number };

/**
 * Pauses a service: no process calls it until the decision, whose id is returned, is taken back.
 * @throws CannotDecide for one that is not connected, or is paused already
 */
export async function pauseService({ db, connections, today }: World, id: string, decider: Decider): Promise<number> {
  checkService(connections, id);
  return await db.transaction(async (session) => {
    await setPaused(session, id, true, today);
    const earlier = await decisionOn(session, 'pause_service', id);
    if (earlier !== null) throw new CannotDecide(`${id} is paused already, by decision ${earlier}.`);
    return await keepDecision(session, { kind: 'pause_service', subject: id }, decider);
  });
}

/** Takes the pause of a service back; returns its decision. Throws CannotDecide for one that is not paused. */
export async function resumeService(db: Db, id: string, decider: Decider, today: number): Promise<number> {
  const decision = await decisionOn(db, 'pause_service', id);
  if (decision === null) throw new CannotDecide(`${id.slice(0, 100)} is not paused.`);
  await takeBack(db, decision, decider, today);
  return decision;
}

/**
 * Lets a service be called again now, whatever faults it had.
 * @throws CannotDecide for one that is not connected, or is paused
 */
export async function retryService({ db, connections }: Omit<World, 'today'>, id: string): Promise<void> {
  checkService(connections, id);
  const pause = await decisionOn(db, 'pause_service', id);
  if (pause !== null) throw new CannotDecide(`${id} is paused by decision ${pause}: resume it instead.`);
  await forgetFaults(db, id);
}
