import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { defaultSettings, settingsFilePath } from '../config.ts';
import { makeFolder } from '../files.ts';
import { ConfigError } from '../lib/config-error.ts';
import { settingsText } from '../settings.ts';
import { answerTo } from './deciding.ts';
import { CommandError, EXIT } from './world.ts';

type InitOptions = {
  file?: string;
  data?: string;
  port?: string;
  baseUrl?: string;
  databaseUrl?: string;
  contact?: string;
  yes?: boolean;
};

/** The settings that `init` has an option for, and asks for at a terminal. */
const ASKED = [
  { name: 'MINTMARK_DATA', option: 'data', question: 'Folder of the database and everything else that is kept' },
  { name: 'DATABASE_URL', option: 'databaseUrl', question: 'Your own PostgreSQL (empty: the embedded one)' },
  { name: 'PORT', option: 'port', question: 'Port to listen on' },
  { name: 'BASE_URL', option: 'baseUrl', question: 'Address of the service as its users see it' },
  { name: 'SECURITY_CONTACT', option: 'contact', question: 'Contact for reports of vulnerabilities (may be empty)' },
] as const;

/** `mintmark init`: writes the settings file with every setting, those left at their defaults as comments. */
export async function initCommand(options: InitOptions): Promise<void> {
  const usual = settingsFilePath();
  const path = resolve(options.file ?? usual ?? 'mintmark.env');
  const given: Record<string, string> = {};
  for (const { name, option } of ASKED) if (options[option] !== undefined) given[name] = options[option];
  if (!options.yes && process.stdin.isTTY) await ask(given);
  const { settings } = checked(given);
  makeFolder(dirname(path));
  try {
    // It may contain the password of the database.
    writeFileSync(path, settingsText(settings.list), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CommandError(`${path} exists already and stays as it is: edit it, or choose another --file.`, EXIT.usage);
  }
  console.log(`Wrote ${path}`);
  if (path !== usual) console.log(`Every command reads it when MINTMARK_ENV=${path} is set.`);
  console.log('Next: mintmark doctor');
}

/** The settings as the program will read them, so that a mistake shows now. What the environment says now is not written. */
function checked(given: Record<string, string>) {
  for (const [name, value] of Object.entries(given))
    if (/["'`\\#\r\n$]/.test(value))
      throw new CommandError(`${name}: quotes, #, $ and \\ cannot be written`, EXIT.usage);
  return defaultSettings(given);
}

/** Asks for each setting that was not given, again until the answer can be used. */
async function ask(given: Record<string, string>): Promise<void> {
  const { settings } = defaultSettings({});
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  for (const { name, question } of ASKED) {
    const fallback = settings.list.find((setting) => setting.name === name)?.value ?? '';
    while (given[name] === undefined) {
      const answer = (await answerTo(terminal, `${question} [${fallback}]: `, 'nothing was written')).trim();
      if (answer === '' || answer === fallback) break;
      try {
        checked({ ...given, [name]: answer });
        given[name] = answer;
      } catch (error) {
        if (!(error instanceof ConfigError || error instanceof CommandError)) throw error;
        console.log(error.message);
      }
    }
  }
  terminal.close();
}
