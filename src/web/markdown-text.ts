import { briefDay } from './format.ts';

/** Text for a Markdown document: names may hold anything, and none of it is markup, all of it one line. */
export function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&|#~]/g, '\\$&');
}

export function dayOrDash(iso: string | null): string {
  return iso === null ? '–' : briefDay(iso);
}
