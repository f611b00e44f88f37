import { readSettings } from '../config.ts';
import type { Setting } from '../settings.ts';

const SOURCES = { environment: 'environment', file: 'file', default: 'default' };

/** `mintmark config`: every setting with its value and source. Opens no database. */
export function configCommand(options: { json?: boolean }): void {
  const { settings } = readSettings();
  const rows = settings.list.map(({ name, what, value, source, isSecret }) => ({
    name,
    value: isSecret && value !== null ? withoutPassword(value) : value,
    source,
    what,
  }));
  if (options.json) {
    console.log(JSON.stringify({ file: settings.file, settings: rows }, null, 2));
    return;
  }
  console.log(`Settings file: ${settings.file ?? 'none (mintmark init writes one)'}\n`);
  const width = (of: (row: (typeof rows)[number]) => string) => Math.max(...rows.map((row) => of(row).length));
  const [names, values] = [
    width(({ name }) => name),
    Math.min(
      40,
      width(({ value }) => shown(value)),
    ),
  ];
  for (const { name, value, source, what } of rows)
    console.log(`${name.padEnd(names)}  ${shown(value).padEnd(values)}  ${SOURCES[source].padEnd(11)}  ${what}`);
}

const shown = (value: Setting['value']) => value ?? '–';

/** A database address keeps what helps to find a mistake: host, port, user and database. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return '(hidden)';
  const url = new URL(text);
  if (url.password !== '') url.password = 'hidden';
  for (const name of ['password', 'sslpassword']) if (url.searchParams.has(name)) url.searchParams.set(name, 'hidden');
  return url.href;
}
