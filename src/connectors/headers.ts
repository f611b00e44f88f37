import { Type } from 'typebox';
import { type Connection, type SecretRef, secretRef } from '../connections.ts';
import { ConfigError } from '../lib/config-error.ts';

const text = Type.String({ maxLength: 2000 });
const header = Type.Union([
  text,
  Type.Object({ ...secretRef.properties, prefix: Type.Optional(text) }, { additionalProperties: false }),
]);

/** The setting `headers` of a service that is called over HTTP: texts, or secrets after a prefix. */
export const HEADERS = Type.Optional(Type.Record(Type.String({ pattern: '^[a-z0-9-]+$' }), header));

/** The headers as they are sent. Throws ConfigError as `headerText` does. */
export function headersOf(
  connection: Connection,
  headers: Readonly<Record<string, string | (SecretRef & { prefix?: string })>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const text = typeof value === 'string' ? value : (value.prefix ?? '') + connection.secret(value);
      return [name, headerText(connection, ['headers', name], text)];
    }),
  );
}

/** A header's text. Throws ConfigError for text that a header cannot have: it may be a secret, so only its place is reported. */
export function headerText(connection: Connection, path: readonly string[], text: string): string {
  if (/[^\t\x20-\x7e\x80-\xff]/.test(text)) throw new ConfigError(connection.mistake(path, 'holds what no header can'));
  return text;
}
