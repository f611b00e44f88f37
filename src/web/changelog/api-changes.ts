import { readFileSync } from 'node:fs';
import { parseDay } from '../../lib/day.ts';

/** What changed for callers of the API on one day. `day`: `YYYY-MM-DD`. */
export type ApiChanges = { day: string; markdown: string };

const FILE = new URL('../../../content/api-changes.md', import.meta.url);

let read: { markdown: string; days: readonly ApiChanges[] } | undefined;

/** The list of changes, newest day first. Read once a process; throws for a heading that is not a day before the last one. */
export function apiChanges(): { markdown: string; days: readonly ApiChanges[] } {
  read ??= parseApiChanges(readFileSync(FILE, 'utf8'));
  return read;
}

export function parseApiChanges(markdown: string): { markdown: string; days: ApiChanges[] } {
  const days = markdown.split(/^## /m).slice(1).map(partOf);
  for (const [at, { day }] of days.entries())
    if (parseDay(day) === null || day >= (days[at - 1]?.day ?? '9999'))
      throw new Error(`content/api-changes.md: "${day}" is not a day before the one above it`);
  return { markdown, days };
}

function partOf(part: string): ApiChanges {
  const [day, ...lines] = part.split('\n');
  return { day: day!.trim(), markdown: lines.join('\n').trim() };
}
