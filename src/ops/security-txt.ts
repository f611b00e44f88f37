import type { FastifyInstance } from 'fastify';
import type { Context } from '../http/context.ts';
import { CORS_HEADERS } from '../http/cors.ts';

const DAY_MS = 86_400_000;
/** RFC 9116 asks for less than a year; the file is made anew each day, so what somebody stored still ages. */
const VALID_DAYS = 180;

/** Serves /.well-known/security.txt (RFC 9116) where the operator has said whom to tell; else there is none. */
export function mountSecurityTxt(app: FastifyInstance, { config, clock }: Context): void {
  const { securityContact, baseUrl } = config;
  if (securityContact === null) return;
  app.route({
    method: ['GET', 'HEAD'],
    url: '/.well-known/security.txt',
    handler: (_request, reply) =>
      reply
        .headers({
          ...CORS_HEADERS,
          'content-type': 'text/plain; charset=utf-8',
          'cache-control': 'public, max-age=3600',
        })
        .send(securityTxt(securityContact, baseUrl, clock())),
  });
}

function securityTxt(contact: string, baseUrl: string, nowMs: number): string {
  const expires = new Date((Math.floor(nowMs / DAY_MS) + VALID_DAYS) * DAY_MS).toISOString();
  return `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}/.well-known/security.txt\n`;
}
