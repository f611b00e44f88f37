import { type Static, type TProperties, Type } from 'typebox';
import { Errors } from 'typebox/schema';
import { ConfigError } from './lib/config-error.ts';
import { readYaml, type YamlPath } from './lib/yaml.ts';

/** A secret as the file has it: the name of an environment variable. */
export const secretRef = Type.Object({ env: Type.String({ minLength: 1 }) }, { additionalProperties: false });
export type SecretRef = Static<typeof secretRef>;

/** Settings of every connection, whatever its kind. */
const COMMON = {
  id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' }),
  kind: Type.String(),
  /** As the service shows it. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 60 })),
  /** Its host may be in a private network or on this machine, and may be called without TLS. */
  private: Type.Optional(Type.Boolean()),
  budgetPerDay: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 })),
  timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
  tryTimeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: 60_000 })),
  tries: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
} satisfies TProperties;

const common = Type.Object(COMMON);
type Common = Static<typeof common>;

/** One entry of the operator's file: an outside service to call. */
export type Connection = Common & {
  name: string;
  /** The entry as the file has it; secrets are names in it. */
  raw: unknown;
  secret(ref: SecretRef): string;
  /** `file:line: /sources/0/url why`, for a place inside the entry. */
  mistake(path: YamlPath, why: string): string;
};

export type Connections = { graders: Connection[]; sources: Connection[] };

const LISTS = ['graders', 'sources'] as const;

/**
 * Reads the operator's connections, YAML or JSON: `graders` and `sources`, each a list of `{id, kind, …}`. What is common
 * to all kinds is checked here, the rest by `settingsOf` where the kind is known. Throws ConfigError with every mistake.
 */
export function readConnections(text: string, fileName: string, env: Record<string, string | undefined>): Connections {
  const file = readYaml(text, fileName);
  if (file.unreadable.length > 0) throw new ConfigError(file.unreadable.join('\n'));
  const value = (file.value() ?? {}) as Record<string, unknown>;
  const mistakes: string[] = [];
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ConfigError(file.mistake([], 'must have graders and sources'));
  for (const key of Object.keys(value))
    if (!(LISTS as readonly string[]).includes(key))
      mistakes.push(file.mistake([key], `is not one of ${LISTS.join(', ')}`));

  const ids = new Set<string>();
  const listOf = (list: (typeof LISTS)[number]): Connection[] => {
    const entries = value[list] ?? [];
    if (!Array.isArray(entries)) {
      mistakes.push(file.mistake([list], 'must be a list'));
      return [];
    }
    return entries.flatMap((raw, at) => {
      const mistakeAt = (path: YamlPath, why: string) => file.mistake([list, at, ...path], why);
      const unset = secretsIn(raw, []).filter(({ name }) => !env[name]);
      const wrong = [
        ...faultsOf(common, raw).map(({ path, why }) => mistakeAt(path, why)),
        ...unset.map(({ path, name }) => mistakeAt(path, `the environment variable ${name} is not set`)),
      ];
      const entry = raw as Common;
      const id = entry?.id ?? '';
      if (id !== '' && ids.has(id)) wrong.push(mistakeAt(['id'], `"${id}" is the id of another connection`));
      ids.add(id);
      mistakes.push(...wrong);
      if (wrong.length > 0) return [];
      const secret = ({ env: name }: SecretRef) => env[name]!;
      return [{ ...entry, name: entry.name ?? entry.id, raw, secret, mistake: mistakeAt }];
    });
  };
  const connections = { graders: listOf('graders'), sources: listOf('sources') };
  if (mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  return connections;
}

/** The settings of a connection's kind, in addition to the common ones. Throws ConfigError with every mistake of the entry. */
export function settingsOf<Own extends TProperties>(connection: Connection, own: Own) {
  const schema = Type.Object({ ...COMMON, ...own }, { additionalProperties: false });
  const faults = faultsOf(schema, connection.raw);
  if (faults.length > 0) throw new ConfigError(faults.map(({ path, why }) => connection.mistake(path, why)).join('\n'));
  return connection.raw as Static<ReturnType<typeof Type.Object<Own>>>;
}

/** How a client of the connection's services is opened: its id, patience and budget, and where it may go. */
export function serviceClientOptions(
  connection: Connection,
  addresses: readonly string[],
  usual: { budgetPerDay?: number; tries?: number } = {},
) {
  const { id, budgetPerDay = usual.budgetPerDay, timeoutMs, tryTimeoutMs, tries = usual.tries } = connection;
  const hosts = addresses.map((address) => hostOf(connection, address));
  return { id, hosts, privateHosts: connection.private ? hosts : [], budgetPerDay, timeoutMs, tryTimeoutMs, tries };
}

function hostOf(connection: Connection, address: string): string {
  // A place to be filled in (`{query}`) may be anywhere after the host.
  const url = URL.canParse(address) ? new URL(address) : null;
  const readable = url !== null && url.username === '' && (url.protocol === 'https:' || url.protocol === 'http:');
  if (!readable || /[{}]|%7b/i.test(url.host))
    throw new ConfigError(connection.mistake([], `"${address.slice(0, 80)}" is not an http or https address`));
  if (url.protocol === 'http:' && !connection.private)
    throw new ConfigError(connection.mistake([], `${url.host} would be called without TLS: only with private: true`));
  return url.origin;
}

type Fault = { path: YamlPath; why: string };

function faultsOf(schema: ReturnType<typeof Type.Object>, value: unknown): Fault[] {
  return Errors(schema, value)[1].flatMap((error) => {
    const path = error.instancePath.split('/').slice(1).map(unescapePointer);
    const { additionalProperties, requiredProperties } = (error.params ?? {}) as Record<string, string[] | undefined>;
    if (additionalProperties)
      return additionalProperties.map((name) => ({ path: [...path, name], why: 'is not known' }));
    if (requiredProperties) return requiredProperties.map((name) => ({ path, why: `lacks ${name}` }));
    // The reason why a further property fails is stated by the schema that forbids it.
    return error.keyword === 'boolean' ? [] : [{ path, why: error.message }];
  });
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Every `{env: NAME}` in an entry, with or without other keys next to the name. */
function secretsIn(value: unknown, path: YamlPath): { path: YamlPath; name: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  if ('env' in value && typeof value.env === 'string') return [{ path, name: value.env }];
  return Object.entries(value).flatMap(([key, inner]) => secretsIn(inner, [...path, key]));
}
