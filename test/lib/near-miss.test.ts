import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { nearMiss } from '../../src/lib/near-miss.ts';
import { folderOfRun } from '../support/database/run-folder.ts';

const WORDS = ['PORT', 'HOST', 'LIMITS', 'CACHE_MB', 'DATABASE_URL', 'TRUSTED_PROXIES', 'LOG_LEVEL', 'MINTMARK_DATA'];

describe('the word that was meant', () => {
  test.each([
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASEURL', 'DATABASE_URL'],
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['LIMIT', 'LIMITS'],
    ['MINTMARK_DIR', 'MINTMARK_DATA'],
    ['LIMES', null],
    // Shorter words are like too many others.
    ['PATH', null],
    ['PORTS', null],
    ['HOSTS', null],
    ['DATABASE', null],
  ])('%s: %s', (text, meant) => expect(nearMiss(text, WORDS)).toBe(meant));

  test('is the nearest of several', () => {
    expect(nearMiss('DAILY_PUBLI', ['DAILY_PARTNER', 'DAILY_PUBLIC', 'IMAGE_PUBLIC'])).toBe('DAILY_PUBLIC');
  });
});

test('every setting is compared, also those that LIMITS=off makes void; an ordinary environment passes', () => {
  const ordinary = { PATH: '/bin', HOME: '/root', LANG: 'C', SHELL: '/bin/sh', HOSTNAME: 'x', npm_config_cache: '/c' };
  expect(readConfig({ ...ordinary, LIMITS: 'off' }).limits).toBeNull();
  for (const name of ['BURST_PARTNRE', 'VISION_WORKER', 'SYNONYM_FILE', 'INTAKE_KEPT_PER_DAYS'])
    expect(() => readConfig({ LIMITS: 'off', [name]: '1' }), name).toThrow(/did you mean/);
});

test('a secret that the file of connections names is a setting, whatever it is called', () => {
  expect(() => readConfig({ MINTMARK_TOKEN: 'x' })).toThrow('MINTMARK_TOKEN is not a setting');
  // Also where the setting that is meant has a value already.
  expect(() => readConfig({ MINTMRK_DATA: 'x', MINTMARK_DATA: 'y' })).toThrow(
    'MINTMRK_DATA is not a setting: remove it',
  );
  const file = join(folderOfRun(), 'connections.yaml');
  writeFileSync(file, 'graders:\n  - kind: psa\n    id: psa\n    name: PSA\n    token: { env: MINTMARK_TOKEN }\n');
  const { connections } = readConfig({ MINTMARK_TOKEN: 'x', CONNECTIONS_FILE: file });
  expect(connections.graders).toHaveLength(1);
});
