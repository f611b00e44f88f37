import { briefDay } from './format.ts';

/**
 * Text for a Markdown document: a name may hold anything, and is shown as it is, on one line: no markup, image, or
 * address that GitHub's dialect would make a link of (`https://…`, `www.…`, `a@b.c`).
 */
export function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>&|#~!@]|:(?=\/\/)|(?<=www)\./gi, '\\$&');
}

export function dayOrDash(iso: string | null): string {
  return iso === null ? '–' : briefDay(iso);
}
