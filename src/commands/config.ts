import { databaseUrlsIn, readSettings } from '../config.ts';
import { type JsonOption, report, tableOf } from './output.ts';

const SOURCES = { environment: 'environment', file: 'file', default: 'default' };

/** `mintmark config`: every setting with its value and source. Opens no database. */
export function configCommand(options: JsonOption): void {
  const { settings } = readSettings();
  const rows = settings.list.map(({ name, what, value, source, isSecret }) => ({
    name,
    value: isSecret && value !== null ? withoutSecrets(value) : value,
    source,
    what,
  }));
  report(options, { file: settings.file, settings: rows }, () => [
    `Settings file: ${settings.file ?? 'none (mintmark init writes one)'}`,
    '',
    ...tableOf(
      ['setting', 'value', 'from', ''],
      rows.map(({ name, value, source, what }) => [name, value, SOURCES[source], what]),
    ),
  ]);
}

/** Database addresses keep what helps to find a mistake: host, port, user and database. Of any other secret nothing is shown. */
function withoutSecrets(text: string): string {
  return databaseUrlsIn(text).map(withoutPassword).join(', ');
}

function withoutPassword(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return '(hidden)';
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  for (const name of ['password', 'sslpassword']) if (url.searchParams.has(name)) url.searchParams.set(name, 'hidden');
  return url.href;
}
