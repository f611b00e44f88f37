import type { Sql } from './client.ts';

/** A database with what a server keeps of it until a NOTIFY says that it changed; without a memory everything is read each time. */
export type KeptSql = Sql & { kept?: Map<string, Promise<unknown>> };

/** What `read` answers, read once until the memory is cleared; concurrent callers share one read. A failed one is not kept. */
export function keep<T>({ kept }: KeptSql, name: string, read: () => Promise<T>): Promise<T> {
  const known = kept?.get(name) as Promise<T> | undefined;
  if (known !== undefined) return known;
  const reading = read();
  kept?.set(name, reading);
  reading.catch(() => {
    if (kept?.get(name) === reading) kept.delete(name);
  });
  return reading;
}
