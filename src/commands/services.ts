import { readServices } from '../desk/failing.ts';
import { pauseService, resumeService, retryService } from '../desk/pause-service.ts';
import { type DeciderOptions, deciderOf } from './deciding.ts';
import { type JsonOption, report, tableOf } from './output.ts';
import { agreedToday, withWorld } from './world.ts';

/** `mintmark services list`: those that fail first. */
export async function servicesListCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config }) => {
    const services = (await readServices(db, config.connections, Date.now())).map(({ health, ...one }) => ({
      ...one,
      callsToday: health?.callsToday ?? 0,
      budgetPerDay: health?.budgetPerDay ?? null,
      lastSuccessAt: dateOf(health?.lastSuccessAtMs),
      lastFaultAt: dateOf(health?.lastFaultAtMs),
      lastFaultReason: health?.lastFaultReason ?? null,
    }));
    report(options, { services }, () =>
      services.length === 0
        ? ['no service is connected: CONNECTIONS_FILE names none that is called']
        : tableOf(
            ['id', 'state', 'calls today', 'budget', 'last success', 'last fault', 'reason', 'name'],
            services.map((one) => [
              ...[one.id, one.state, one.callsToday, one.budgetPerDay, one.lastSuccessAt, one.lastFaultAt],
              ...[one.lastFaultReason, one.name],
            ]),
          ),
    );
  });
}

function dateOf(ms: number | null | undefined): Date | null {
  return ms === null || ms === undefined ? null : new Date(ms);
}

/** `mintmark services pause <id>` */
export async function servicesPauseCommand(id: string, options: JsonOption & DeciderOptions): Promise<void> {
  const decider = deciderOf(options);
  await withWorld(async ({ db, config: { connections } }) => {
    const decision = await pauseService({ db, connections, today: await agreedToday(db) }, id, decider);
    report(options, { id, decision }, () => [
      `${id} is paused; "mintmark services resume ${id}" lets it be called again`,
    ]);
  });
}

/** `mintmark services resume <id>` */
export async function servicesResumeCommand(id: string, options: JsonOption & DeciderOptions): Promise<void> {
  const decider = deciderOf(options);
  await withWorld(async ({ db }) => {
    const decision = await resumeService(db, id, decider, await agreedToday(db));
    report(options, { id, decision }, () => [`${id} is called again`]);
  });
}

/** `mintmark services retry <id>` */
export async function servicesRetryCommand(id: string, options: JsonOption): Promise<void> {
  await withWorld(async ({ db, config: { connections } }) => {
    await retryService({ db, connections }, id);
    report(options, { id }, () => [`the faults of ${id} are forgotten; the next call is made`]);
  });
}
