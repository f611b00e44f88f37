import { randomBytes } from 'node:crypto';
import { type IncomingHttpHeaders, request } from 'node:http';
import { pino } from 'pino';
import type { Db } from '../../../src/db/client.ts';
import { openTitleBook } from '../../../src/sales/titles.ts';
import { type Desk, openDesk } from '../../../src/web/desk/desk-server.ts';
import { BASE_URL } from '../../support/app.ts';

/** A desk on a database, as `mintmark desk` opens it for ada. */
export async function aDesk(
  db: Db,
  { clock = Date.now, connections = { graders: [], sources: [] } }: { clock?: () => number; connections?: object } = {},
): Promise<Desk & { origin: string; base: string }> {
  const pepper = randomBytes(32);
  const world = {
    db: { ...db, prices: {} },
    config: { serviceName: 'Test Prices', baseUrl: BASE_URL, isDemo: false, connections: connections as never },
    ...{ clock, by: 'ada', titles: await openTitleBook(db), pepper: async () => pepper },
  };
  const desk = await openDesk(world, pino({ level: 'silent' }), 0);
  const { origin, pathname } = new URL(desk.link);
  return { ...desk, origin, base: `/${pathname.split('/')[1]}/` };
}

export type DeskAnswer = { status: number; headers: IncomingHttpHeaders; body: string };

/** One request with exactly these headers besides `Host`; those that are empty are not sent. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    fields,
    host,
  }: { method?: string; headers?: Record<string, string>; fields?: Record<string, string>; host?: string } = {},
): Promise<DeskAnswer> {
  const body = fields === undefined ? undefined : new URLSearchParams(fields).toString();
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
          ...Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== '')),
          ...(host !== undefined && { host }),
        },
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, body: text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Opens the link and returns the cookie as browsers send it, and the token of a form of `page`. */
export async function signIn(desk: Desk & { origin: string; base: string }, page: string) {
  const entered = await ask(desk.link);
  const cookie = String(entered.headers['set-cookie']).split(';')[0]!;
  const { body } = await ask(desk.origin + desk.base + page, { headers: { cookie } });
  const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
  return { cookie, token, entered };
}
