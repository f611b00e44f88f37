import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { denialOf } from './files.ts';
import { ConfigError } from './lib/config-error.ts';
import { nearMiss } from './lib/near-miss.ts';

export type Env = Record<string, string | undefined>;

/** One setting as it was read: its value as text (null: not set, and no default), and where that is from. */
export type Setting = {
  name: string;
  what: string;
  value: string | null;
  source: 'environment' | 'file' | 'default';
  isSecret: boolean;
};

/** Reads settings from the environment, then from the settings file, and keeps a list of what was read. */
export class Settings {
  readonly list: Setting[] = [];
  /** The settings file; null if there is none. */
  readonly file: string | null;
  readonly #env: Env;
  readonly #fromFile: Env;

  readonly #defaults: Env;

  /** `defaults`: other defaults than those that are stated where a setting is read. */
  constructor(env: Env, defaults: Env = {}) {
    this.#env = env;
    this.#defaults = defaults;
    ({ path: this.file, values: this.#fromFile } = readSettingsFile(env));
  }

  /** A setting as text; an empty one is not set. `isSecret`: `mintmark config` does not show it. */
  text(name: string, what: string, fallback: string | null = null, isSecret = false): string | null {
    const source = this.#env[name] ? 'environment' : this.#fromFile[name] ? 'file' : 'default';
    const value = this.#env[name] || this.#fromFile[name] || this.#defaults[name] || fallback;
    this.list.push({ name, what, value, source, isSecret });
    return value;
  }

  /** A whole number. Throws ConfigError outside of the bounds. */
  whole(name: string, what: string, fallback: number, min: number, max: number): number {
    const text = this.text(name, what, String(fallback))!;
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= min && value <= max)) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`);
    return value;
  }

  /** One of these words. Throws ConfigError for another. */
  oneOf<const Word extends string>(name: string, what: string, words: readonly Word[], fallback: Word): Word {
    const text = this.text(name, `${what}: ${words.join(', ')}`, fallback)!;
    if (!(words as readonly string[]).includes(text))
      throw new ConfigError(`${name} must be one of ${words.join(', ')}`);
    return text as Word;
  }

  /** The variables as one object, for a file of settings that names its secrets among them. */
  secretsOf(file: string): Env {
    return new Proxy(this.#env, {
      get: (_, name: string) => {
        const known = this.list.find((setting) => setting.name === name);
        return known ? known.value || undefined : (this.text(name, `a secret of ${file}`, null, true) ?? undefined);
      },
    });
  }

  /**
   * A misspelled setting would be ignored in silence, and the operator would find an empty database: in the environment,
   * names that begin as our prefix does must be known, others are compared with the settings that the
   * environment lacks (one that the file has may be what was to be overridden); in the file, every name.
   */
  rejectMisspelt(): void {
    const known = new Set(['MINTMARK_ENV', ...this.list.map(({ name }) => name)]);
    const unset = [...known].filter((name) => !this.#env[name]);
    for (const [names, place, candidates] of [
      [Object.keys(this.#env), null, unset],
      [Object.keys(this.#fromFile), this.file, unset.filter((name) => !this.#fromFile[name])],
    ] as const)
      for (const name of names.toSorted()) {
        if (known.has(name)) continue;
        const meant = nearMiss(name, candidates);
        const where = place === null ? '' : `${place}: `;
        if (meant !== null)
          throw new ConfigError(
            `${where}${name} is not a setting; did you mean ${meant}? Rename it; if another program needs it, set ${meant} too.`,
          );
        if (place !== null || name.startsWith('MINTM'))
          throw new ConfigError(
            `${where}${name} is not a setting: remove it; mintmark config and docs/guide/settings.md list every setting.`,
          );
      }
  }
}

/** Where `mintmark init` writes the settings, and every command reads them; null where there is no home folder. */
export function settingsPath(env: Env): string | null {
  if (env.MINTMARK_ENV) return env.MINTMARK_ENV;
  if (!env.XDG_CONFIG_HOME && !env.HOME) return null;
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'mintmark', 'mintmark.env');
}

/** The text of a settings file: each setting under its description; a default as a comment. */
export function settingsText(settings: readonly Setting[]): string {
  const blocks = settings.map(({ name, what, value, source }) => {
    const written = quoted(value ?? '');
    if (written === null) return `# ${what}\n# ${name} has quotes that cannot be written here\n`;
    return `# ${what}\n${source === 'default' ? '#' : ''}${name}=${written}\n`;
  });
  return `# Settings of Mintmark: NAME=value. A variable of the same name in the environment wins.
# A line that begins with # is a comment: remove the # to change a default. mintmark config lists what is in force.
# An empty value, here or in the environment, is as if it were not there: DATABASE_URL= uses the embedded PostgreSQL.

${blocks.join('\n')}`;
}

/** A value as it is written; null where neither kind of quotes fits around it. */
function quoted(value: string): string | null {
  if (/^[^\s"'`#\\$]*$/.test(value)) return value;
  if (/[\r\n]/.test(value)) return null;
  // Between double quotes, \n would be read as the end of a line.
  const quote = ["'", '`', ...(value.includes('\\') ? [] : ['"'])].find((one) => !value.includes(one));
  return quote === undefined ? null : quote + value + quote;
}

/** `NAME=value` a line, as Node reads such files. Throws ConfigError for one that MINTMARK_ENV names and cannot be read. */
function readSettingsFile(env: Env): { path: string | null; values: Env } {
  const path = settingsPath(env);
  if (path === null) return { path: null, values: {} };
  let text: string;
  try {
    // Editors of Windows begin a file with a byte order mark.
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !env.MINTMARK_ENV) return { path: null, values: {} };
    throw new ConfigError(
      `The settings file cannot be read: ${message}${code === 'EACCES' ? `. ${denialOf(path)}` : ''}`,
    );
  }
  rejectUnreadable(text, path);
  return { path, values: parseEnv(text) };
}

/** Node skips lines that it does not understand, and of a quote that does not end it makes one value with the lines after it. */
function rejectUnreadable(text: string, path: string): void {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!/^\s*(?:#.*|(?:export\s+)?[A-Za-z_]\w*\s*=.*)?$/.test(line))
      throw new ConfigError(`${path}, line ${index + 1}: expected NAME=value or a comment that begins with #`);
    const quote = /^\s*[^#=]+=\s*(["'`])(?!.*\1)/.exec(line)?.[1];
    if (quote !== undefined)
      throw new ConfigError(
        `${path}, line ${index + 1}: the value begins with ${quote} and does not end with it; it must end on the same line`,
      );
  }
}
