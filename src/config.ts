import { readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { join, resolve } from 'node:path';
import proxyAddr from '@fastify/proxy-addr';
import { type Connections, readConnections } from './connections.ts';
import { ConfigError } from './lib/config-error.ts';
import { type Env, Settings, settingsPath } from './settings.ts';

/** Everything that can be configured, checked once. Units are in the names. */
export type Config = ReturnType<typeof configOf>;

/** Budgets of a UTC day and bursts, by tier. 0 in a burst means none. */
export type RequestLimits = NonNullable<Config['limits']>;

/** The configuration from environment variables and the settings file (the one reader of process.env; tests pass their own). */
export function readConfig(env: Env = process.env): Config {
  return readSettings(env).config;
}

/** The configuration where these are the defaults instead. */
export function readConfigOver(defaults: Env, env: Env = process.env): Config {
  return readSettings(env, defaults).config;
}

/** The configuration with the settings that it was read from. Throws ConfigError for one that cannot be used. */
export function readSettings(env: Env = process.env, defaults: Env = {}): { config: Config; settings: Settings } {
  const settings = new Settings(env, defaults);
  const config = configOf(settings, env);
  settings.rejectMisspelt();
  return { config, settings };
}

/** Settings with `given` and nothing else that the environment or the settings file says. */
export function defaultSettings(given: Env): { config: Config; settings: Settings } {
  return readSettings({ XDG_DATA_HOME: process.env.XDG_DATA_HOME, ...given });
}

/** The path of the settings file, whether it is there or not; null where there is no home folder. */
export function settingsFilePath(): string | null {
  return settingsPath(process.env);
}

function configOf(read: Settings, env: Env) {
  const port = read.whole('PORT', 'port that serve listens on', 8080, 0, 65535);
  const file = (name: string, what: string) => {
    const path = read.text(name, what);
    return path === null ? null : resolve(path);
  };
  const home = join(env.XDG_DATA_HOME || join(homedir(), '.local/share'), 'mintmark');
  return {
    port,
    host: read.text('HOST', 'address that serve listens on', '127.0.0.1')!,
    /** Without a slash at the end. */
    baseUrl: address(
      'BASE_URL',
      read.text('BASE_URL', 'address of the service as its users see it', `http://localhost:${port}`)!,
    ),
    dataDir: resolve(
      read.text('MINTMARK_DATA', 'folder of the embedded database and everything else that is kept', home)!,
    ),
    /** Null for the embedded one. */
    databaseUrl: databaseUrl(
      read.text('DATABASE_URL', 'your own PostgreSQL 15 or newer; empty: the embedded one', null, true),
    ),
    /** Servers of streaming replication that answer reads. */
    readDatabaseUrls: readDatabaseUrls(
      read.text('READ_DATABASE_URLS', 'replicas of DATABASE_URL that answer reads, separated by commas', null, true),
    ),
    replicaLagSeconds: read.whole(
      'REPLICA_LAG_SECONDS',
      'how far behind a replica may be to be used, in seconds',
      5,
      1,
      3600,
    ),
    dbPoolSize: read.whole('DB_POOL_SIZE', 'database connections of one process', 10, 4, 500),
    logLevel: read.oneOf('LOG_LEVEL', 'what is logged', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    /** One line a request. */
    logRequests: read.oneOf('LOG_REQUESTS', 'whether each request is logged', ['on', 'off'], 'off') === 'on',
    cacheMb: read.whole('CACHE_MB', 'memory for cached responses and prices, in MB; 0 turns both off', 128, 0, 65536),
    /** Null turns every limit off. */
    limits: limitsOf(read),
    trustedProxies: trustedProxies(
      read.text('TRUSTED_PROXIES', 'addresses and networks of proxies whose X-Forwarded-For is trusted'),
    ),
    maxConnections: read.whole(
      'MAX_CONNECTIONS',
      'simultaneous connections of one process; more are closed at once',
      10_000,
      1,
      1_000_000,
    ),
    /** `mailto:…` or `https://…`; null serves no security.txt. */
    securityContact: securityContact(
      read.text('SECURITY_CONTACT', 'contact for reports of vulnerabilities: an e-mail address or an https:// page'),
    ),
    serviceName: read.text('SERVICE_NAME', 'name of the service in pages and attribution', 'Mintmark')!,
    dataLicense: read.text('DATA_LICENSE', 'license of your prices, as a name or an address'),
    /** Its sales are simulated, and it says so wherever it names itself. */
    isDemo: false,
    imageHosts: imageHosts(read.text('IMAGE_HOSTS', 'hosts whose card images the pages may show')),
    synonymsFile: file('SYNONYMS_FILE', 'your own synonyms for the search, in addition to the bundled ones'),
    indicesFile: file('INDICES_FILE', 'your own sub-indices, JSON or YAML'),
    /** Outside services to call: graders and markets. */
    connections: connectionsOf(read),
    valuationSeconds: read.whole(
      'VALUATION_SECONDS',
      'how long a request waits for the valuation of a cert, in seconds',
      25,
      1,
      300,
    ),
    /** 36,500 are all there can be. */
    historyPublicDays: read.whole(
      'HISTORY_PUBLIC_DAYS',
      'days of trade history that callers without a key may read',
      36_500,
      1,
      36_500,
    ),
    visionWorkers: read.whole(
      'VISION_WORKERS',
      'processes that read photos',
      Math.max(1, availableParallelism() - 1),
      1,
      256,
    ),
    /** 0: none. */
    metricsPort: read.whole('METRICS_PORT', 'port of its own for /metrics; 0: none', 0, 0, 65535),
    metricsToken: read.text('METRICS_TOKEN', 'bearer token with which the main port serves /metrics', null, true),
    /** Null: `mintmark mcp --url` calls without a key. */
    mcpKey: mcpKeyOf(read),
    visionQueue: read.whole('VISION_QUEUE', 'photos that may wait for a process', 16, 0, 10_000),
    /** Backups by the worker; null: none. */
    backups: backupsOf(read),
    /** Files of everything, made after each close; null: none. */
    bulk: bulkOf(read),
    uploadMb: read.whole('UPLOAD_MB', 'memory for photos being received or processed, in MB', 256, 16, 65536),
  };
}

function limitsOf(read: Settings) {
  const isOff = read.oneOf('LIMITS', 'budgets and bursts of requests', ['on', 'off'], 'on') === 'off';
  const most = 1_000_000;
  const of = (name: string, what: string, partner: number, anybody: number) => ({
    partner: read.whole(`${name}_PARTNER`, `${what} of a key`, partner, 0, 1_000_000_000),
    public: read.whole(`${name}_PUBLIC`, `${what} of an address without a key`, anybody, 0, 1_000_000_000),
  });
  const limits = {
    daily: of('DAILY', 'requests a UTC day', 10_000, 10),
    image: of('IMAGE', 'image searches a UTC day', 1000, 5),
    intake: of('INTAKE', 'forms a UTC day', 20, 5),
    site: of('SITE', 'valuations started from the pages a UTC day,', 50, 20),
    intakeKeptPerDay: read.whole(
      'INTAKE_KEPT_PER_DAY',
      'forms without a key that are kept a UTC day, from all addresses together',
      500,
      0,
      most,
    ),
    /** Sustained; twice as many may come at once. Counted by each process, as all the following. */
    burstPerSecond: of('BURST', 'requests a second', 200, 5),
    visitsPerSecond: read.whole('VISITS_PER_SECOND', 'uncached pages a second and address', 10, 0, most),
    refusalsPerMinute: read.whole(
      'REFUSALS_PER_MINUTE',
      'wrong keys a minute and address that are checked; further ones are 429',
      30,
      0,
      most,
    ),
    failedTriesPerMinute: read.whole(
      'FAILED_TRIES_PER_MINUTE',
      'rejected uploads and forms a minute and address; further ones are 429',
      30,
      0,
      most,
    ),
  };
  return isOff ? null : limits;
}

function mcpKeyOf(read: Settings): { id: string; secret: string } | null {
  const id = read.text('MCP_KEY', 'key with which `mintmark mcp --url` calls an installation');
  const secret = read.text('MCP_SECRET', 'the secret of that key', null, true);
  if ((id === null) !== (secret === null)) throw new ConfigError('MCP_KEY and MCP_SECRET belong together: set both');
  return id === null ? null : { id, secret: secret! };
}

function backupsOf(read: Settings) {
  const folder = read.text('BACKUP_DIR', 'folder for the backups that a worker makes each day; none unless set');
  const at = read.text('BACKUP_AT', 'time of those backups, HH:MM (UTC)', '03:30')!;
  const keep = read.whole('BACKUP_KEEP', 'how many of those backups are kept, the newest ones', 7, 1, 10_000);
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(at) ?? [];
  if (hour === undefined) throw new ConfigError('BACKUP_AT must be a time of day from 00:00 to 23:59 (UTC)');
  return folder === null ? null : { folder: resolve(folder), keep, hour: Number(hour), minute: Number(minute) };
}

function bulkOf(read: Settings) {
  const keep = read.whole(
    'BULK_KEEP',
    'closes whose bulk files a worker keeps, the newest ones; 0: it makes none',
    7,
    0,
    366,
  );
  const months = read.whole('BULK_MONTHS', 'months of sales and daily prices in bulk files', 24, 1, 240);
  return keep === 0 ? null : { keep, months };
}

function connectionsOf(read: Settings): Connections {
  const path = read.text('CONNECTIONS_FILE', 'graders and markets to call, YAML or JSON');
  if (path === null) return { graders: [], sources: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`CONNECTIONS_FILE cannot be read: ${(error as Error).message}`);
  }
  return readConnections(text, path, read.secretsOf('CONNECTIONS_FILE'));
}

function address(name: string, text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new ConfigError(`${name} must be an http or https address`);
  return text.replace(/\/+$/, '');
}

function securityContact(text: string | null): string | null {
  if (text === null) return null;
  const contact = /^[^\s:/@]+@[^\s:/@]+$/.test(text) ? `mailto:${text}` : text;
  if (!/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(contact))
    throw new ConfigError('SECURITY_CONTACT must be an e-mail address or begin with mailto: or https://');
  return contact;
}

function trustedProxies(text: string | null): string[] {
  const proxies = listOf(text);
  for (const one of proxies) {
    try {
      proxyAddr.compile(one);
    } catch {
      throw new ConfigError(`TRUSTED_PROXIES lists addresses (10.0.0.7) and networks (10.0.0.0/8); ${one} is neither`);
    }
  }
  return proxies;
}

function listOf(text: string | null): string[] {
  return (text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** Exact host names, since each becomes part of the pages' content security policy. */
function imageHosts(text: string | null): string[] {
  const hosts = listOf(text?.toLowerCase() ?? null);
  const wrong = hosts.find((host) => !/^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?$/.test(host));
  if (wrong !== undefined)
    throw new ConfigError(`IMAGE_HOSTS lists host names without scheme or path; ${wrong} is not a host name`);
  return hosts;
}

function databaseUrl(text: string | null): string | null {
  if (text !== null && !/^postgres(ql)?:\/\//.test(text))
    throw new ConfigError('DATABASE_URL must begin with postgres:// or postgresql://');
  return text;
}

function readDatabaseUrls(text: string | null): string[] {
  const urls = text === null ? [] : databaseUrlsIn(text);
  if (!urls.every((url) => /^postgres(ql)?:\/\/\S+$/.test(url)))
    throw new ConfigError('READ_DATABASE_URLS lists addresses that begin with postgres:// or postgresql://');
  return urls;
}

/** The addresses of a list separated by commas or spaces; a comma may also be in an address. */
export function databaseUrlsIn(text: string): string[] {
  return text.split(/[\s,]+(?=postgres(?:ql)?:\/\/)/).filter((url) => url !== '');
}

/** True where a browser that is started can be seen: on Linux in a session with a display. */
export function hasDisplay({ DISPLAY, WAYLAND_DISPLAY }: Env = process.env): boolean {
  return process.platform !== 'linux' || DISPLAY !== undefined || WAYLAND_DISPLAY !== undefined;
}
