import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { readConfig, readSettings } from '../src/config.ts';
import { settingsText } from '../src/settings.ts';
import { folderOfRun } from './support/database/run-folder.ts';
import { runProgram } from './support/program.ts';

const folder = folderOfRun();
let files = 0;
const settingsFile = (text: string) => {
  const path = join(folder, `settings-${files++}.env`);
  writeFileSync(path, text);
  return path;
};
const readWith = (text: string, env: Record<string, string> = {}) =>
  readSettings({ MINTMARK_ENV: settingsFile(text), ...env });

describe('the settings file', () => {
  test('sets what the environment leaves open; the environment wins; an empty variable is not set', () => {
    const { config, settings } = readWith('PORT=9001\nSERVICE_NAME="Card shop"\nCACHE_MB=1\n', {
      CACHE_MB: '7',
      SERVICE_NAME: '',
    });
    expect(config).toMatchObject({
      port: 9001,
      serviceName: 'Card shop',
      cacheMb: 7,
      baseUrl: 'http://localhost:9001',
    });
    const sources = Object.fromEntries(settings.list.map(({ name, source }) => [name, source]));
    expect(sources).toMatchObject({ PORT: 'file', SERVICE_NAME: 'file', CACHE_MB: 'environment', HOST: 'default' });
  });

  test('an empty DATABASE_URL is the embedded PostgreSQL in the file, and no change in the environment', () => {
    const url = 'postgres://somewhere/cards';
    const sourceOf = ({ settings }: ReturnType<typeof readWith>) =>
      settings.list.find(({ name }) => name === 'DATABASE_URL')!.source;
    const empty = readWith('DATABASE_URL=\nREAD_DATABASE_URLS=\n');
    expect(empty.config).toMatchObject({ databaseUrl: null, readDatabaseUrls: [] });
    expect(sourceOf(empty)).toBe('default');
    expect(readWith('DATABASE_URL=""\n', { DATABASE_URL: url }).config.databaseUrl).toBe(url);
    const kept = readWith(`DATABASE_URL=${url}\n`, { DATABASE_URL: '' });
    expect(kept.config.databaseUrl).toBe(url);
    expect(sourceOf(kept)).toBe('file');
    expect(readWith('', { DATABASE_URL: '' }).config.databaseUrl).toBeNull();
    expect(readConfig({ MINTMARK_ENV: '/dev/null' }).databaseUrl).toBeNull();
  });

  test('is found in the configuration folder of the user, and may be absent there', () => {
    const home = join(folder, 'config-home');
    expect(readConfig({ XDG_CONFIG_HOME: home }).port).toBe(8080);
    mkdirSync(join(home, 'mintmark'), { recursive: true });
    writeFileSync(join(home, 'mintmark/mintmark.env'), 'PORT=9002');
    expect(readConfig({ XDG_CONFIG_HOME: home }).port).toBe(9002);
    expect(() => readConfig({ MINTMARK_ENV: join(folder, 'absent.env') })).toThrow(/cannot be read.*absent\.env/);
  });

  test.each([
    [
      'a misspelt name',
      'DATABSE_URL=postgres://x',
      /settings-\d+\.env: DATABSE_URL is not a setting; did you mean DATABASE_URL\?/,
    ],
    ['an unknown name', 'COLOUR=red', /COLOUR is not a setting: remove it/],
    ['a line that is neither', 'PORT=1\n\nhello there\n', /line 3: expected NAME=value/],
    [
      'a quote without an end',
      'PORT=1\nDATABASE_URL="postgres://x\nSERVICE_NAME="Shop"\n',
      /line 2: the value begins with " and does not end with it/,
    ],
    ['a quote that another kind ends', `SERVICE_NAME='Shop"`, /line 1: the value begins with ' and does not end/],
    ['a wrong value', 'PORT=none', /PORT must be a whole number/],
  ])('%s is an error', (_, text, message) => expect(() => readWith(text)).toThrow(message));

  test.each([
    ['PORT', 'PORT=9001'],
    ['a comment', '# Settings\nPORT=9001'],
  ])('may begin with a byte order mark, as editors of Windows write it, before %s', (_, text) => {
    expect(readWith(`\uFEFF${text}`).config.port).toBe(9001);
  });

  test.each([
    [`SERVICE_NAME='Card "shop"' # ours`, 'Card "shop"'],
    ['export SERVICE_NAME = `Shop`', 'Shop'],
    [`SERVICE_NAME=Ash's`, "Ash's"],
  ])('reads %s', (text, serviceName) => expect(readWith(text).config).toMatchObject({ serviceName }));

  test('a misspelled variable is an error also where the file has the setting, and none where the variable is right too', () => {
    const url = 'postgres://localhost/x';
    const text = `DATABASE_URL=${url}`;
    expect(() => readWith(text, { DATABSE_URL: url })).toThrow(
      /^DATABSE_URL is not a setting; did you mean DATABASE_URL/,
    );
    expect(readWith(text, { DATABSE_URL: 'x', DATABASE_URL: url }).config.databaseUrl).toBe(url);
  });

  test('may contain the secrets that CONNECTIONS_FILE names; they are not shown', () => {
    const connections = join(folder, 'settings-connections.yaml');
    writeFileSync(connections, 'graders: [{kind: psa, id: psa, name: PSA, token: {env: SHOP_KEY}}]');
    const { settings } = readWith(`CONNECTIONS_FILE=${connections}\nSHOP_KEY=s3cret\n`);
    expect(settings.list.find(({ name }) => name === 'SHOP_KEY')).toMatchObject({ isSecret: true, source: 'file' });
  });
});

test('the guide and the file that init writes say what an empty DATABASE_URL is', () => {
  const sentence = /empty value.* is as if it were not there.*`?DATABASE_URL=`? .*embedded PostgreSQL/s;
  expect(readFileSync('docs/guide/settings.md', 'utf8')).toMatch(sentence);
  expect(settingsText([])).toMatch(sentence);
});

test('docs/guide/settings.md describes every setting', () => {
  const guide = readFileSync(new URL('../docs/guide/settings.md', import.meta.url), 'utf8');
  for (const { name } of readSettings({}).settings.list) expect(guide.includes(`\`${name}\``), name).toBe(true);
});

describe('mintmark init and config', () => {
  test('init writes every setting, once, for its owner alone; the program then reads it', async () => {
    const path = join(folder, 'new/mintmark.env');
    const env = { MINTMARK_ENV: path };
    const written = await runProgram(
      ['init', '--yes', '--port', '9003', '--database-url', 'postgres://u:never-shown@db/x'],
      env,
    );
    expect(written).toMatchObject({ code: 0, printed: `Wrote ${path}\nNext: mintmark doctor\n` });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    expect(text).toMatch(/^PORT=9003$/m);
    expect(text).toMatch(/^#CACHE_MB=128$/m);
    for (const { name } of readSettings({}).settings.list) expect(text).toMatch(new RegExp(`^#?${name}=`, 'm'));

    const again = await runProgram(['init', '--yes'], env);
    expect(again).toMatchObject({ code: 2 });
    expect(again.errors).toContain('exists already and stays as it is');
    expect(readFileSync(path, 'utf8')).toBe(text);

    const { code, printed } = await runProgram(['config', '--json'], { ...env, CACHE_MB: '5' });
    expect(code).toBe(0);
    const { file, settings } = JSON.parse(printed) as { file: string; settings: { name: string }[] };
    expect(file).toBe(path);
    const of = (name: string) => settings.find((setting) => setting.name === name);
    expect(of('PORT')).toMatchObject({ value: '9003', source: 'file' });
    expect(of('CACHE_MB')).toMatchObject({ value: '5', source: 'environment' });
    expect(of('DATABASE_URL')).toMatchObject({ value: 'postgres://u:hidden@db/x' });
    expect(printed).not.toContain('never-shown');
  });

  test('config shows no password of any replica, and nothing of other secrets', async () => {
    const { printed } = await runProgram(['config', '--json'], {
      READ_DATABASE_URLS: 'postgres://u:never-1@r1/x, postgresql://u:never-2@r2/x',
      METRICS_TOKEN: 'prom:never-3',
    });
    expect(printed).toContain('postgres://u:hidden@r1/x, postgresql://u:hidden@r2/x');
    expect(printed).not.toMatch(/never-\d/);
  });

  test('init rejects what the program would reject, and writes nothing', async () => {
    const path = join(folder, 'rejected.env');
    const { code, errors } = await runProgram(['init', '--yes', '--file', path, '--port', 'none'], {});
    expect(code).toBe(2);
    expect(errors).toContain('PORT must be a whole number');
    expect(() => statSync(path)).toThrow();
  });

  test.skipIf(!existsSync('/usr/bin/script'))('init asks again at once for an answer that cannot be used', async () => {
    const path = join(folder, 'asked.env');
    const command = `'${process.execPath}' '${inject('program')}' init --file '${path}' --data '${folder}' --base-url http://localhost`;
    const terminal = spawn('script', ['-qec', command, '/dev/null'], { env: { PATH: process.env.PATH, HOME: folder } });
    const answers = [
      ['PostgreSQL (empty: the embedded one) []: ', ''],
      ['Port to listen on [8080]: ', 'none'],
      ['PORT must be a whole number from 0 to 65535\r\nPort to listen on [8080]: ', '9004'],
      ['(may be empty) []: ', ''],
    ] as const;
    let [shown, at] = ['', 0];
    terminal.stdout.on('data', (chunk) => {
      shown += chunk;
      const [question, answer] = answers[at] ?? ['never', ''];
      // A terminal colors and moves: only the words count.
      if (!shown.replace(/\x1b\[[\d;]*\w/g, '').includes(question)) return;
      [shown, at] = ['', at + 1];
      terminal.stdin.write(`${answer}\r`);
    });
    await once(terminal, 'close');
    expect(at, shown).toBe(answers.length);
    expect(readFileSync(path, 'utf8')).toMatch(/^PORT=9004$/m);
  });
});

test('--version is that of the package, with the day and the commit; completion knows commands and their options', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  // Outside of a clone the sources have no commit.
  const git = spawnSync('git', ['log', '-1', '--format= (%cs, %h)'], { encoding: 'utf8' });
  expect(await runProgram(['--version'], {})).toMatchObject({
    printed: `${version}${git.stdout?.trimEnd() ?? ''}\n`,
    code: 0,
  });
  for (const [shell, words] of [
    ['bash', 'complete -F'],
    ['zsh', 'compdef _mintmark mintmark'],
    ['fish', 'complete -c mintmark'],
  ] as const) {
    const { printed } = await runProgram(['completion', shell], {});
    expect(printed).toContain(words);
    // The shell itself reads it, where it is on this machine.
    const read = spawnSync(shell, ['-n'], { input: printed, encoding: 'utf8' });
    if (read.error === undefined) expect(read, shell).toMatchObject({ status: 0, stderr: '' });
  }
  expect((await runProgram(['complete', '--', 'keys', 'ro'], {})).printed).toContain('rotate');
  expect((await runProgram(['complete', '--', 'reprice', '--th'], {})).printed).toContain('--through');
});
