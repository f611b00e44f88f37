import { notFound } from '../http/problem.ts';

/** A path segment in its canonical spelling, lower case. Throws `not_found` for text that no segment of ours holds. */
export function canonicalSegment(segment: string): string {
  if (!/^[a-z0-9-]+$/i.test(segment)) throw notFound('There is no page at this address.');
  return segment.toLowerCase();
}
