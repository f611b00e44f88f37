import type { Config } from '../config.ts';
import type { Db } from '../db/client.ts';
import { openGraders } from '../graded/graders/open-graders.ts';
import { serviceHealth, stateOf } from '../http/outbound/service-client-state.ts';
import { ConfigError } from '../lib/config-error.ts';
import { openSources } from '../sales/sources/open-sources.ts';
import { FOLDER_KIND } from '../sales/sources/watched-folder.ts';
import { watchedFolders } from './doctor-folders.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** The state of each outside service, and settings that cannot be used. */
export async function connections(db: Db, config: Config, nowMs: number): Promise<Finding[]> {
  const { graders, sources } = config.connections;
  const all = [...graders, ...sources];
  if (all.length === 0) return [ok('no outside service is called: CONNECTIONS_FILE is not set')];
  const ids = all.map(({ id }) => id);
  const health = await serviceHealth(db, ids, nowMs);
  const { findings, folders } = opened(db, config);
  findings.push(...(await watchedFolders(db, folders)));
  for (const { id, kind } of all) {
    if (kind === FOLDER_KIND) continue;
    const one = health.get(id);
    if (one === undefined) {
      findings.push(ok(`${id} (${kind}): never called`));
      continue;
    }
    const state = stateOf(one);
    const { callsToday, budgetPerDay, lastFaultReason, lastFaultAtMs } = one;
    const calls = `${callsToday}${budgetPerDay === null ? '' : ` of ${budgetPerDay}`} calls today`;
    const fault =
      lastFaultAtMs === null ? '' : `, last fault ${lastFaultReason} ${new Date(lastFaultAtMs).toISOString()}`;
    const what = `${id} (${kind}): ${state}, ${calls}${fault}`;
    if (one.paused) {
      findings.push(ok(`${what}; paused by a decision: "mintmark services resume ${id}" lets it be called again`));
      continue;
    }
    const isFailing = state === 'failing' || one.circuit === 'open';
    findings.push(isFailing ? warn(what, adviceOn(lastFaultReason)) : ok(what));
  }
  return findings;
}

/** Faults in the settings of graders and sources; the watched folders if the settings are valid. */
function opened(db: Db, { connections: { graders, sources } }: Config) {
  const world = { db, clock: Date.now };
  const findings: Finding[] = [];
  const attempt = <T>(open: () => T): T | null => {
    try {
      return open();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      findings.push(...error.message.split('\n').map((what) => fail(what, 'correct it in CONNECTIONS_FILE')));
      return null;
    }
  };
  attempt(() => openGraders(world, graders));
  const folders = attempt(() => openSources(world, sources))?.folders ?? [];
  return { findings, folders };
}

function adviceOn(reason: string | null): string {
  if (reason === 'unauthorized') return 'check its credentials and what they may do';
  if (reason === 'refused') return 'check its address and its settings';
  return 'it is retried automatically; if it lasts, check the service';
}
