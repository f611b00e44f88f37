import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { deskCounts } from '../../desk/desk-counts.ts';
import { openAssets } from '../assets.ts';
import { icon } from '../site/icon.ts';
import { decisionList } from './decision-list.tsx';
import { act, type DeskFields } from './desk-actions.ts';
import { DESK_COOKIE, DESK_HEADERS, deskCookieIn, deskDenial } from './desk-guard.ts';
import { deskHome } from './desk-home.tsx';
import { type DeskContent, type DeskSection, deskPageText } from './desk-page.tsx';
import { type DeskSession, openDeskSession } from './desk-session.ts';
import type { DeskView } from './desk-view.ts';
import type { DeskWorld } from './desk-world.ts';
import { failingSources } from './failing-sources.tsx';
import { identitySuspects } from './identity-suspects.tsx';
import { knownImports } from './known-imports.tsx';
import { rejectedRows } from './rejected-rows.tsx';
import { sentForms } from './sent-forms.tsx';
import { suspectSales } from './suspect-sales.tsx';
import { unmatchedSales } from './unmatched-sales.tsx';

const MAX_FORM_BYTES = 16 * 1024;

const SECTIONS: Readonly<Record<DeskSection, (view: DeskView) => Promise<DeskContent>>> = {
  unmatched: unmatchedSales,
  suspects: suspectSales,
  identities: identitySuspects,
  reports: (view) => sentForms(view, 'report'),
  applications: (view) => sentForms(view, 'application'),
  rejected: rejectedRows,
  sources: failingSources,
  imports: knownImports,
  decisions: decisionList,
};

/** A desk that listens; `link` opens it once. */
export type Desk = { app: FastifyInstance; link: string; close(): Promise<void> };

/** Starts the desk on 127.0.0.1; `port` 0: any that is free. */
export async function openDesk(world: DeskWorld, log: Logger, port: number): Promise<Desk> {
  const session = openDeskSession(world.clock);
  const app = await deskApp(world, session, log);
  await app.listen({ host: '127.0.0.1', port });
  const { port: taken } = app.server.address() as AddressInfo;
  return {
    app,
    link: `http://127.0.0.1:${taken}/${session.folder}/enter/${session.linkToken}`,
    close: () => app.close(),
  };
}

async function deskApp(world: DeskWorld, session: DeskSession, log: Logger): Promise<FastifyInstance> {
  const app = Fastify({
    logger: false,
    bodyLimit: MAX_FORM_BYTES,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  const base = `/${session.folder}/`;
  const { serviceName } = world.config;
  const send = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text);
  const sendAlone = (reply: FastifyReply, status: number, title: string, message: string) =>
    send(
      reply.code(status),
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1><p>${message}</p></html>`,
    );

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, fieldsIn(body as string)),
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(DESK_HEADERS);
    const { port } = app.server.address() as AddressInfo;
    const { method, headers, socket } = request;
    const denial = deskDenial({ method, headers, remoteAddress: socket.remoteAddress }, port);
    if (denial !== null) return sendAlone(reply, denial.status, 'Not answered', denial.message);
    if (request.url === '/favicon.ico') return reply.code(204).send();
    if (request.url.startsWith(`${base}enter/`)) return;
    if (!session.isCookie(deskCookieIn(headers)))
      return sendAlone(
        reply,
        403,
        'Not signed in',
        'Open the link that "mintmark desk" printed. It works once; start the desk again for a new one.',
      );
  });
  app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
    const { statusCode = 500 } = error;
    if (statusCode >= 500) log.error(error, 'the desk met a fault');
    return sendAlone(reply, statusCode, 'This did not work', 'The log of the desk has the reason.');
  });
  app.setNotFoundHandler((_request, reply) => sendAlone(reply, 404, 'Nothing here', 'The desk has no such page.'));

  app.get<{ Params: { token: string } }>(`${base}enter/:token`, async ({ params, socket }, reply) => {
    const outcome = session.enter(params.token);
    if (outcome !== 'entered')
      return sendAlone(
        reply,
        403,
        'This link does not work',
        outcome === 'wrong'
          ? 'It is not the link of this desk.'
          : 'It was used already, or is too old: start the desk again for a new one. If you did not use it, somebody else on this machine did.',
      );
    log.info({ from: `${socket.remoteAddress}:${socket.remotePort}` }, 'the desk was opened');
    reply.header('set-cookie', `${DESK_COOKIE}=${session.cookie()}; Path=${base}; HttpOnly; SameSite=Strict`);
    // A redirect would count as part of the navigation from where the link was, which sends no strict cookie.
    return send(
      reply,
      `<!doctype html><html lang="en"><meta charset="utf-8"><meta http-equiv="refresh" content="0;url=${base}"><title>Desk</title><p><a href="${base}">Open the desk</a></p></html>`,
    );
  });

  const page = async (request: FastifyRequest, reply: FastifyReply, section: DeskSection | null) => {
    const counts = await deskCounts(world.db, world.config.connections, world.clock());
    const query = new URL(request.url, 'http://desk').searchParams;
    const back = `${section}${query.size > 0 ? `?${query}` : ''}`;
    const view: DeskView = { world, query, base, token: session.formToken, back };
    const content = section === null ? deskHome(counts, base) : await SECTIONS[section](view);
    const notice = session.takeNotice();
    return send(reply, deskPageText(content, { serviceName, by: world.by, counts, section, notice, base }));
  };
  app.get(base, (request, reply) => page(request, reply, null));
  for (const section of Object.keys(SECTIONS) as DeskSection[])
    app.get(base + section, (request, reply) => page(request, reply, section));

  app.post<{ Params: { action: string }; Body: DeskFields }>(`${base}do/:action`, async ({ params, body }, reply) => {
    if (!session.isFormToken(body?.token))
      return sendAlone(
        reply,
        403,
        'Not done',
        'This form is not one of this desk: open the page again and send it from there.',
      );
    const notice = await act(world, params.action, body);
    if (notice === null) return reply.callNotFound();
    session.notify(notice);
    return reply.redirect(base + (BACK.test(body.back ?? '') ? body.back : ''), 303);
  });

  const { files, styles } = await openAssets();
  const { body: iconText } = (await icon.answer(undefined as never, undefined as never)) as { body: string };
  const deskStyles = await readFile(new URL('./desk.css', import.meta.url));
  app.get(`${base}site.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(files.get(styles)!.body));
  app.get(`${base}desk.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(deskStyles));
  app.get(`${base}icon.svg`, (_request, reply) => reply.type('image/svg+xml').send(iconText));
  return app as unknown as FastifyInstance;
}

/** A page of the desk, as its forms name it. */
const BACK = /^[a-z-]{1,20}(\?[\w=&%.~+*-]{0,600})?$/;

/** The first of each field, trimmed; empty ones are left out. */
function fieldsIn(body: string): DeskFields {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body))
    if (value.trim() !== '' && !(name in fields)) fields[name] = value.trim();
  return fields;
}
