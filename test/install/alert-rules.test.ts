import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOfRun } from '../support/database/run-folder.ts';

const RULES = readFileSync(new URL('../../deploy/prometheus-alerts.yaml', import.meta.url), 'utf8');
const isInstalled = spawnSync('sh', ['-c', 'command -v promtool']).status === 0;
const folder = folderOfRun();

function expectRaised(tests: object): void {
  writeFileSync(join(folder, 'deployed.yaml'), RULES);
  writeFileSync(join(folder, 'tests.yaml'), JSON.stringify(tests));
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'tests.yaml')], {
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
}

describe.skipIf(!isInstalled)('the alert rules', () => {
  test('the rules are valid', () => {
    writeFileSync(join(folder, 'deployed.yaml'), RULES);
    const { status, stdout } = spawnSync('promtool', ['check', 'rules', join(folder, 'deployed.yaml')], {
      encoding: 'utf8',
    });
    expect(status, stdout).toBe(0);
  });

  test('a day is to be closed six hours after it is over, and not before', () => {
    const tests = {
      rule_files: ['deployed.yaml'],
      tests: [
        {
          interval: '1m',
          // Closed through the first of January 1970.
          input_series: [{ series: 'mintmark_closed_through_timestamp_seconds', values: '86400+0x3600' }],
          alert_rule_test: [
            { eval_time: '53h50m', alertname: 'MintmarkDayNotClosed', exp_alerts: [] },
            {
              eval_time: '54h30m',
              alertname: 'MintmarkDayNotClosed',
              exp_alerts: [
                {
                  exp_labels: { severity: 'page' },
                  exp_annotations: {
                    summary: 'Yesterday is not closed 6 hours after midnight UTC: is a worker running?',
                  },
                },
              ],
            },
          ],
        },
      ],
    };
    expectRaised(tests);
  });

  test('daily backups are missed when there was none for two days, or none in the first one', () => {
    const series = 'mintmark_last_backup_timestamp_seconds';
    const day = (hours: number, backup: number) => `${backup * 86_400}+0x${hours}`;
    const summary = 'There is no backup of the last two days: is a worker with BACKUP_DIR running?';
    const raised = [{ exp_labels: { severity: 'page' }, exp_annotations: { summary } }];
    const looks = (values: string, evals: Record<string, object[]>) => ({
      interval: '1h',
      input_series: [{ series, values }],
      alert_rule_test: Object.entries(evals).map(([eval_time, exp_alerts]) => {
        return { eval_time, alertname: 'MintmarkBackupOld', exp_alerts };
      }),
    });
    // Each backup is there two hours after it is due.
    const daily = [day(25, 0), day(23, 1), day(23, 2), day(60, 3)].join(' ');
    expectRaised({
      rule_files: ['deployed.yaml'],
      evaluation_interval: '1h',
      tests: [looks(daily, { '73h': [], '119h': [], '122h': raised }), looks(day(60, 0), { '24h': [], '49h': raised })],
    });
  });

  test('a job that fails whenever it runs is reported, also where its schedule replaces it, and one that fails once is not', () => {
    const summary = (task: string) => `Job ${task} fails whenever it runs: the log of the worker has the reason.`;
    const alerts = ['close_days', 'crawl'].map((task) => ({
      exp_labels: { severity: 'ticket', task },
      exp_annotations: { summary: summary(task) },
    }));
    const tests = {
      rule_files: ['deployed.yaml'],
      tests: [
        {
          interval: '1m',
          input_series: [
            // Each minute a new job of the same key, which has not failed yet.
            {
              series: 'mintmark_jobs{task="crawl",state="retrying"}',
              values: '1 _ 1 _ 1 _ _ 1 _ 1 1 _ _ 1 _ _ 1 _ 1 1 1',
            },
            { series: 'mintmark_jobs{task="close_days",state="failed"}', values: '1x20' },
            {
              series: 'mintmark_jobs{task="read_folders",state="retrying"}',
              values: '_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 1 _ _ _',
            },
            { series: 'mintmark_jobs{task="back_up",state="running"}', values: '1x20' },
          ],
          alert_rule_test: [{ eval_time: '20m', alertname: 'MintmarkJobFailed', exp_alerts: alerts }],
        },
      ],
    };
    expectRaised(tests);
  });
});
