import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anItem, closeDays, manySales } from '../support/builders.ts';
import { type FreshDatabase, freshDatabase } from '../support/database/database.ts';
import { folderOfRun } from '../support/database/run-folder.ts';
import { drawnCard } from '../support/photos/drawn-cards.ts';
import { databaseUrlOf, freePort, type Program, runProgram, startProgram, untilServing } from '../support/program.ts';

const RULES = readFileSync(new URL('../../deploy/prometheus-alerts.yaml', import.meta.url), 'utf8');
const isInstalled = spawnSync('sh', ['-c', 'command -v prometheus promtool']).status === 0;
if (!isInstalled) console.warn('skipped: the fault drill of the alert rules, which needs Prometheus');

/** Longest from a fault to its alert, on a busy machine. */
const WITHIN_MS = 120_000;

/** The rules as they are deployed, but for their patience: seconds instead of minutes and hours. */
const HURRIED = RULES.replace(/for: \w+/g, 'for: 1s').replaceAll('[5m]', '[15s]');

describe.skipIf(!isInstalled)('each alert is raised by its fault', () => {
  const folder = join(folderOfRun(), 'alerts');
  let database: FreshDatabase;
  let program: Program;
  let prometheus: ChildProcess;
  let settings: Record<string, string>;
  let address: string;
  let prometheusAt: string;
  const grader = createServer((_request, response) => response.writeHead(500).end());

  beforeAll(async () => {
    database = await freshDatabase();
    await anItem(database.db, {});
    mkdirSync(folder, { recursive: true });
    await new Promise<void>((resolve) => grader.listen(0, '127.0.0.1', resolve));
    const connections = {
      graders: [
        {
          id: 'registry',
          kind: 'http-json',
          name: 'Registry',
          private: true,
          companies: ['PSA', 'CGC', 'BGS'],
          url: `http://127.0.0.1:${(grader.address() as AddressInfo).port}/{cert}`,
          fields: { grade: '/grade', subject: '/name' },
        },
      ],
    };
    writeFileSync(join(folder, 'connections.json'), JSON.stringify(connections));
    const metricsPort = await freePort();
    settings = { DATABASE_URL: databaseUrlOf(database.connection), MINTMARK_DATA: join(folder, 'data') };
    program = startProgram(['serve'], {
      ...settings,
      CONNECTIONS_FILE: join(folder, 'connections.json'),
      METRICS_PORT: String(metricsPort),
      PORT: '0',
      LIMITS: 'off',
      CACHE_MB: '0',
      VISION_WORKERS: '1',
      // Photos of one caller take turns: the drill has many callers.
      TRUSTED_PROXIES: '127.0.0.1',
    });
    address = await untilServing(program);

    const port = await freePort();
    prometheusAt = `http://127.0.0.1:${port}`;
    writeFileSync(join(folder, 'rules.yaml'), HURRIED);
    const scraping = {
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yaml'],
      scrape_configs: [{ job_name: 'mintmark', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
    };
    writeFileSync(join(folder, 'prometheus.yml'), JSON.stringify(scraping));
    prometheus = spawn(
      'prometheus',
      [
        `--config.file=${join(folder, 'prometheus.yml')}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
  }, WITHIN_MS);
  afterAll(async () => {
    prometheus?.kill('SIGKILL');
    program?.kill('SIGKILL');
    await program?.ended;
    grader.close();
    await database.close();
  });

  type Alert = { state: string; labels: Record<string, string> };

  async function firing(): Promise<Alert['labels'][]> {
    const answer = await fetch(`${prometheusAt}/api/v1/alerts`).catch(() => null);
    if (answer === null || !answer.ok) return [];
    const { data } = (await answer.json()) as { data: { alerts: Alert[] } };
    return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  }

  /** Repeats what the fault does to callers until the alert fires; its labels. */
  async function untilRaised(alert: string, act: () => Promise<unknown> = () => sleep(500)) {
    for (const until = Date.now() + WITHIN_MS; Date.now() < until; ) {
      const raised = (await firing()).find((labels) => labels.alertname === alert);
      if (raised !== undefined) return raised;
      await act();
    }
    throw new Error(`${alert} did not fire`);
  }

  const get = (path: string) => fetch(address + path).then((response) => response.arrayBuffer());
  const query = (text: string) => database.db.query(text);
  const backUpTo = async (place: string) => (await runProgram(['backup', place], settings)).code;
  const upIs = async (value: string) => {
    const answer = await fetch(`${prometheusAt}/api/v1/query?query=up`);
    const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } };
    return data.result[0]?.value[1] === value;
  };

  const drilled = new Set<string>();

  /** By the alert of its name: what goes wrong, and the label that says where. */
  const faults: Record<string, () => Promise<unknown>> = {
    // Sold and closed months ago: neither imports nor a worker have run since.
    async MintmarkNoSales() {
      await manySales(database.db, { itemId: await anItem(database.db, { number: '15' }) });
      return untilRaised('MintmarkNoSales');
    },
    async MintmarkDayNotClosed() {
      await closeDays(database.db);
      return untilRaised('MintmarkDayNotClosed');
    },
    async MintmarkCoverageLow() {
      // Scored by the next close, which is what makes the figures be read again.
      await query(
        `insert into sale_scores (sale_id, day, own_sales, age_days, model, last_sale, mean_of_3, median_of_5, median_30_days, ewma,
           price_bucket, inside, game, company)
         select -n, closed_day + 1, 5, 3, .4, .4, .4, .4, .4, .4, 1, 0, 'pokemon', 'PSA' from model_state, generate_series(1, 300) n`,
      );
      await closeDays(database.db, '2026-06-30');
      expect(await untilRaised('MintmarkCoverageLow')).toMatchObject({ game: 'pokemon' });
    },
    async MintmarkJobFailed() {
      await query(
        `select graphile_worker.add_job('close', max_attempts => 1, job_key => 'drill', run_at => now() + interval '1 day')`,
      );
      await query(`update graphile_worker._private_jobs set attempts = max_attempts where key = 'drill'`);
      expect(await untilRaised('MintmarkJobFailed')).toMatchObject({ task: 'close' });
      await query(`delete from graphile_worker._private_jobs where key = 'drill'`);
    },
    async MintmarkImportUnfinished() {
      await query(`insert into imports (kind, format, started_at) values ('sales', 'csv', now() - interval '2 hours')`);
      await untilRaised('MintmarkImportUnfinished');
    },
    async MintmarkBackupOld() {
      expect(await backUpTo(join(folder, 'backups'))).toBe(0);
      await query(
        `update backups set started_at = started_at - interval '3 days', finished_at = finished_at - interval '3 days'`,
      );
      await untilRaised('MintmarkBackupOld');
    },
    async MintmarkBackupFailed() {
      // Killed as it writes the first table, which another session has locked.
      await database.db.session(async (session) => {
        await session.query('begin');
        await session.query('lock table items in access exclusive mode');
        const backup = startProgram(['backup', join(folder, 'backups')], settings);
        const isBegun = async () => (await query('select from backups where finished_at is null')).length > 0;
        await expect.poll(isBegun, { timeout: WITHIN_MS }).toBe(true);
        backup.kill('SIGKILL');
        await backup.ended;
        await session.query('rollback');
      });
      await untilRaised('MintmarkBackupFailed');
    },
    async MintmarkServiceFailing() {
      let cert = 10_000_001;
      const raised = await untilRaised('MintmarkServiceFailing', () => get(`/v1/graded/${cert++}/stream`));
      expect(raised).toMatchObject({ service: 'registry' });
    },
    async MintmarkPhotosWait() {
      const photo = await drawnCard(1);
      let isRaised = false;
      const callers = Array.from({ length: 17 }, async (_, caller) => {
        while (!isRaised) {
          const body = new FormData();
          body.append('file', new Blob([new Uint8Array(photo)]), 'card.jpg');
          const headers = { 'x-forwarded-for': `192.0.2.${caller}` };
          const response = await fetch(`${address}/v1/graded/by-image`, { method: 'POST', body, headers });
          await response.arrayBuffer();
        }
      });
      await untilRaised('MintmarkPhotosWait').finally(() => {
        isRaised = true;
      });
      await Promise.all(callers);
    },
    async MintmarkFilesAway() {
      renameSync(settings.MINTMARK_DATA!, join(folder, 'unmounted'));
      await untilRaised('MintmarkFilesAway');
      renameSync(join(folder, 'unmounted'), settings.MINTMARK_DATA!);
    },
    async MintmarkErrors() {
      await query('alter table items rename to items_away');
      await untilRaised('MintmarkErrors', () => get('/v1/sets?game=pokemon').then(() => sleep(200)));
      await query('alter table items_away rename to items');
    },
    async MintmarkSlow() {
      const locked = async () => {
        await database.db.session(async (session) => {
          await session.query('begin');
          await session.query('lock table items in access exclusive mode');
          const requests = Promise.all(Array.from({ length: 5 }, () => get('/v1/sets?game=pokemon')));
          await sleep(2500);
          await session.query('rollback');
          await requests;
        });
      };
      await untilRaised('MintmarkSlow', locked);
    },
    async MintmarkDown() {
      program.kill('SIGKILL');
      await untilRaised('MintmarkDown');
    },
  };

  test(
    'a server without a fault raises none',
    async () => {
      await expect.poll(() => upIs('1').catch(() => false), { timeout: WITHIN_MS }).toBe(true);
      await sleep(4000);
      expect(await firing()).toEqual([]);
    },
    WITHIN_MS,
  );

  // What one fault does must not hide another; those of a line disturb none of the others.
  test.each([
    [['MintmarkNoSales']],
    [['MintmarkDayNotClosed']],
    [
      [
        'MintmarkCoverageLow',
        'MintmarkJobFailed',
        'MintmarkImportUnfinished',
        'MintmarkServiceFailing',
        'MintmarkBackupOld',
      ],
    ],
    [['MintmarkFilesAway']],
    [['MintmarkBackupFailed']],
    [['MintmarkPhotosWait']],
    [['MintmarkErrors']],
    [['MintmarkSlow']],
    [['MintmarkDown']],
  ])(
    '%s',
    async (alerts) => {
      await Promise.all(
        alerts.map((alert) => {
          drilled.add(alert);
          return faults[alert]!();
        }),
      );
    },
    WITHIN_MS,
  );

  test('every alert has been raised', () => {
    expect([...drilled].sort()).toEqual([...RULES.matchAll(/alert: (\w+)/g)].map(([, name]) => name).sort());
  });
});
