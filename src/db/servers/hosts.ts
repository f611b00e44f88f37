import pg from 'pg';

/** A server of a DATABASE_URL that names several. */
type Host = { host: string; port: number };

/** A connection; with `hosts`, to that one of them which accepts writes. Plain data: threads get it too. */
export type ServerConnection = pg.ClientConfig & { hosts?: readonly Host[] };

const PORT = 5432;
const PROBE_WITHIN_MS = 2_000;
/** Another server that accepts writes answers within this, or is not waited for. */
const OTHERS_WITHIN_MS = 250;
/** SQLSTATE of a connection that cannot be made. */
const NO_PRIMARY = '08001';

/** `postgres://user:password@one:5432,other:5433/database?…` as a connection; a URL with one host is left to the driver. */
export function connectionOf(url: string): ServerConnection {
  const [, before, list, after] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url)!;
  const named = list!.split(',');
  if (named.length === 1) return { connectionString: url };
  const hosts = named.map((one) => {
    const [, host, port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(one) ?? [];
    if (host === undefined) throw new Error('of several hosts, each is a name or an address, with a port or without');
    return { host: host.replace(/^\[|\]$/g, ''), port: port === undefined ? PORT : Number(port) };
  });
  return { connectionString: `${before}${named[0]}${after}`, hosts };
}

/** A client that is not connected yet. A lost connection is reported by its statements and by `end`. */
export function newClient(config: ServerConnection): pg.Client {
  return new ServerClient(config);
}

/** Marks an error that came before a caller's first statement: nothing was sent, so the same may be tried again. */
export function asUnsent(error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { isUnsent: true }) : error;
}

/** The class of clients for a pool; of several hosts, it connects to the one that accepts writes. */
export class ServerClient extends pg.Client {
  /** PostgreSQL's process, once a pool has connected it: behind PgBouncer that of `pg.Client` is one of its own. */
  backendPid = 0;
  readonly #config: ServerConnection;

  constructor(config: ServerConnection = {}) {
    super(config);
    this.#config = config;
    // A server may end a connection in the packet that accepts it, before the pool listens.
    this.on('error', () => {});
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const connected = this.#connect();
    if (callback === undefined) return connected;
    connected.then(() => callback(null as unknown as Error), callback);
    return undefined;
  }

  async #connect(): Promise<pg.Client> {
    try {
      const { hosts } = this.#config;
      if (hosts !== undefined) Object.assign(this, await findPrimary(this.#config, hosts));
      return await super.connect();
    } catch (error) {
      throw asUnsent(error);
    }
  }
}

/**
 * Asks every host at once. Where two accept writes, one was replaced and has come back: that of the newer timeline is the
 * primary, since promoting a replica begins a timeline.
 */
async function findPrimary(config: ServerConnection, hosts: readonly Host[]): Promise<Host> {
  const writable: { host: Host; timeline: number }[] = [];
  const probes = hosts.map(async (host) => {
    const timeline = await timelineOf(config, host);
    if (timeline === null)
      throw Object.assign(new Error(`${host.host}:${host.port} is a replica`), { code: NO_PRIMARY });
    writable.push({ host, timeline });
  });
  const all = Promise.allSettled(probes);
  try {
    await Promise.any(probes);
  } catch (error) {
    // A server that is away is what an operator can mend.
    const { errors } = error as AggregateError;
    throw errors.find(({ code }: { code?: string }) => code !== NO_PRIMARY) ?? errors[0];
  }
  await Promise.race([all, new Promise((resolve) => setTimeout(resolve, OTHERS_WITHIN_MS))]);
  return writable.reduce((one, other) => (other.timeline > one.timeline ? other : one)).host;
}

/** The timeline that a server writes; null where it is a replica. */
async function timelineOf({ hosts: _, ...config }: ServerConnection, host: Host): Promise<number | null> {
  const client = newClient({
    ...config,
    connectionTimeoutMillis: PROBE_WITHIN_MS,
    query_timeout: PROBE_WITHIN_MS,
  });
  Object.assign(client, host);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end as timeline`,
    );
    const { timeline } = rows[0]!;
    return timeline === null ? null : Number.parseInt(timeline, 16);
  } finally {
    void client.end().catch(() => {});
  }
}
