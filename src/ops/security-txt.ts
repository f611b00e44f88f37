import { CORS_HEADERS } from '../http/cors.ts';
import type { FileRoute } from '../http/file-route.ts';
import { MS_PER_DAY } from '../lib/day.ts';

/** RFC 9116 recommends less than a year; the file is made anew each day, so a stored copy still ages. */
const VALID_DAYS = 180;

/** /.well-known/security.txt (RFC 9116), where the operator has set a contact. */
export const securityTxt: FileRoute = {
  path: '/.well-known/security.txt',
  isServed: ({ securityContact }) => securityContact !== null,
  answer: ({ config: { securityContact, baseUrl }, clock }) => ({
    body: textOf(securityContact!, baseUrl, clock()),
    headers: {
      ...CORS_HEADERS,
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  }),
};

function textOf(contact: string, baseUrl: string, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / MS_PER_DAY) + VALID_DAYS) * MS_PER_DAY).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`;
}
