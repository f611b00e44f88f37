import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import proxyAddr from '@fastify/proxy-addr';
import { type Connections, readConnections } from './connections.ts';
import { ConfigError } from './lib/config-error.ts';
import { nearMiss } from './lib/near-miss.ts';

/** Everything that can be configured, checked once. Units are in the names. */
export type Config = ReturnType<typeof configOf>;

/** Budgets of a UTC day and bursts, by tier. 0 in a burst means none. */
export type RequestLimits = NonNullable<Config['limits']>;

type Env = Record<string, string | undefined>;

/** The configuration from environment variables (the one reader of process.env; tests pass their own). */
export function readConfig(given: Env = process.env): Config {
  const names = new Set<string>();
  // Every name that is read is a setting: a separate list of names could fall behind.
  const env = new Proxy(given, {
    get(target, name: string) {
      names.add(name);
      return target[name];
    },
  });
  const config = configOf(env);
  rejectMisspelt(given, names);
  return config;
}

/**
 * A misspelt setting would be ignored in silence, and the operator would find an empty database. Names with our prefix
 * must be known; others are compared with the settings that are not set.
 */
function rejectMisspelt(env: Env, known: ReadonlySet<string>): void {
  const unset = [...known].filter((name) => !env[name]);
  for (const name of Object.keys(env).sort()) {
    if (known.has(name)) continue;
    const meant = nearMiss(name, unset);
    if (meant !== null)
      throw new ConfigError(
        `${name} is not a setting; did you mean ${meant}? Rename it; if another program needs it, set ${meant} too.`,
      );
    if (name.startsWith('MINTMARK_'))
      throw new ConfigError(`${name} is not a setting: remove it; docs/guide/install.md lists every setting.`);
  }
}

function configOf(env: Env) {
  const port = whole(env, 'PORT', 8080, 0, 65535);
  return {
    host: env.HOST || '127.0.0.1',
    port,
    /** Absolute address of the service as its users see it, without a slash at the end. */
    baseUrl: address(env, 'BASE_URL', `http://localhost:${port}`),
    /** A PostgreSQL of the operator's, or null for the embedded one. */
    databaseUrl: databaseUrl(env),
    /** Folder of the embedded database and everything else that is kept. */
    dataDir: resolve(env.MINTMARK_DATA || join(env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'mintmark')),
    dbPoolSize: whole(env, 'DB_POOL_SIZE', 10, 1, 500),
    logLevel: oneOf(env, 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    /** Memory for cached responses, in megabytes; 0 turns the cache off. */
    cacheMb: whole(env, 'CACHE_MB', 128, 0, 65536),
    /** Null turns every limit off (`LIMITS=off`). */
    limits: limitsOf(env),
    /** Addresses or networks of proxies whose X-Forwarded-For is believed; empty by default. */
    trustedProxies: trustedProxies(env),
    /** Connections that one process keeps open at a time; more are closed at once. */
    maxConnections: whole(env, 'MAX_CONNECTIONS', 10_000, 1, 1_000_000),
    /** Where to report a vulnerability, as an address: `mailto:…` or `https://…`; null serves no security.txt. */
    securityContact: securityContact(env),
    /** How the service is called where a price is attributed. */
    serviceName: env.SERVICE_NAME || 'Mintmark',
    /** The licence of the data, as a name or an address; null states none. */
    dataLicense: env.DATA_LICENSE || null,
    /** Its sales are simulated, and it says so wherever it names itself. */
    isDemo: false,
    /** Hosts whose card images pages may show, besides those kept in the data folder. */
    imageHosts: imageHosts(env),
    /** A file of synonyms for the search, in addition to the bundled ones; null without one. */
    synonymsFile: env.SYNONYMS_FILE ? resolve(env.SYNONYMS_FILE) : null,
    /** A file that lists sub-indices; null without one. */
    indicesFile: env.INDICES_FILE ? resolve(env.INDICES_FILE) : null,
    /** Outside services to call: graders and markets. */
    connections: connectionsOf(env),
    /** How long a request waits for the valuation of a cert, which then goes on by itself. */
    valuationSeconds: whole(env, 'VALUATION_SECONDS', 25, 1, 300),
    /** Days of trade history that callers without a key may read; 36,500 are all there can be. */
    historyPublicDays: whole(env, 'HISTORY_PUBLIC_DAYS', 36_500, 1, 36_500),
    /** Processes that read photos, and photos that may wait for one. */
    visionWorkers: whole(env, 'VISION_WORKERS', Math.max(1, availableParallelism() - 1), 1, 256),
    visionQueue: whole(env, 'VISION_QUEUE', 16, 0, 10_000),
    /** Memory for photos that are being received or processed, in megabytes. */
    uploadMb: whole(env, 'UPLOAD_MB', 256, 16, 65536),
  };
}

function limitsOf(env: Env) {
  const isOff = oneOf(env, 'LIMITS', ['on', 'off'], 'on') === 'off';
  const of = (name: string, partner: number, anybody: number) => ({
    partner: whole(env, `${name}_PARTNER`, partner, 0, 1_000_000_000),
    public: whole(env, `${name}_PUBLIC`, anybody, 0, 1_000_000_000),
  });
  const limits = {
    daily: of('DAILY', 10_000, 10),
    image: of('IMAGE', 1000, 5),
    intake: of('INTAKE', 20, 5),
    /** Valuations that visitors of the pages may start. */
    site: of('SITE', 50, 20),
    /** Forms of callers without a key that are kept a UTC day, from all addresses together. */
    intakeKeptPerDay: whole(env, 'INTAKE_KEPT_PER_DAY', 500, 0, 1_000_000),
    /** Requests a second, sustained; twice as many may come at once. Counted by each process, as all the following. */
    burstPerSecond: of('BURST', 200, 5),
    /** Pages a second and address that are not cached yet, sustained; twice as many may come at once. */
    visitsPerSecond: whole(env, 'VISITS_PER_SECOND', 10, 0, 1_000_000),
    /** Rejected credentials a minute and address, after which further ones are not checked. */
    refusalsPerMinute: whole(env, 'REFUSALS_PER_MINUTE', 30, 0, 1_000_000),
    /** Rejected uploads and forms a minute and address; the next ones are 429. */
    failedTriesPerMinute: whole(env, 'FAILED_TRIES_PER_MINUTE', 30, 0, 1_000_000),
  };
  return isOff ? null : limits;
}

function connectionsOf(env: Env): Connections {
  const path = env.CONNECTIONS_FILE;
  if (!path) return { graders: [], sources: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`CONNECTIONS_FILE cannot be read: ${(error as Error).message}`);
  }
  return readConnections(text, path, env);
}

function whole(env: Env, name: string, fallback: number, min: number, max: number): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max)) throw new ConfigError(`${name} must be a whole number from ${min} to ${max}`);
  return value;
}

function oneOf<const Word extends string>(env: Env, name: string, words: readonly Word[], fallback: Word): Word {
  const text = env[name] || fallback;
  if (!(words as readonly string[]).includes(text)) throw new ConfigError(`${name} must be one of ${words.join(', ')}`);
  return text as Word;
}

function address(env: Env, name: string, fallback: string): string {
  const text = env[name] || fallback;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new ConfigError(`${name} must be an http or https address`);
  return text.replace(/\/+$/, '');
}

function securityContact(env: Env): string | null {
  const text = env.SECURITY_CONTACT;
  if (!text) return null;
  const contact = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(contact))
    throw new ConfigError('SECURITY_CONTACT must be an e-mail address or begin with mailto: or https://');
  return contact;
}

function trustedProxies(env: Env): string[] {
  const proxies = listOf(env.TRUSTED_PROXIES);
  for (const one of proxies) {
    try {
      proxyAddr.compile(one);
    } catch {
      throw new ConfigError(`TRUSTED_PROXIES lists addresses (10.0.0.7) and networks (10.0.0.0/8); ${one} is neither`);
    }
  }
  return proxies;
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Exact host names, since each becomes part of the pages' content security policy. */
function imageHosts(env: Env): string[] {
  const hosts = listOf(env.IMAGE_HOSTS?.toLowerCase());
  const wrong = hosts.find((host) => !/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/.test(host));
  if (wrong !== undefined)
    throw new ConfigError(`IMAGE_HOSTS lists host names without scheme or path; ${wrong} is not a host name`);
  return hosts;
}

function databaseUrl(env: Env): string | null {
  const text = env.DATABASE_URL || null;
  if (text !== null && !/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://');
  return text;
}
