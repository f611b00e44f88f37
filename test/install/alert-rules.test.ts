import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderOfRun } from '../support/database/run-folder.ts';

const RULES = readFileSync(new URL('../../deploy/prometheus-alerts.yaml', import.meta.url), 'utf8');
const isInstalled = spawnSync('sh', ['-c', 'command -v promtool']).status === 0;
const folder = folderOfRun();

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
    writeFileSync(join(folder, 'deployed.yaml'), RULES);
    writeFileSync(join(folder, 'closed.yaml'), JSON.stringify(tests));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'closed.yaml')], {
      encoding: 'utf8',
    });
    expect(status, stdout + stderr).toBe(0);
  });
});
