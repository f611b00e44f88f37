import { type Mutant, mutantsOf } from '../mutant.ts';

const ATTACKS = ['web/desk/desk-attacks.test.ts'];

export const DESK: Mutant[] = [
  ...mutantsOf('web/desk/desk-guard.ts', ATTACKS, [
    ['another machine is answered', "if (!LOOPBACK.test(remoteAddress ?? ''))", 'if (false)'],
    ['a proxy is answered', 'if (FORWARDED.some((name) => headers[name] !== undefined))', 'if (false)'],
    ['any host of this machine is the desk', 'host !== `127.0.0.1:${port}` && host !== `localhost:${port}`', 'false'],
    ['a form of another site is taken', 'origin !== `http://${host}` || ', ''],
    ['a form of another port is taken', " || (site !== undefined && site !== 'same-origin')", ''],
  ]),
  ...mutantsOf('web/desk/desk-session.ts', ATTACKS, [
    ['a link works twice', 'cookie !== null || clock()', 'clock()'],
    ['a link works for ever', ' || clock() - openedMs > LINK_MS', ''],
    ['a session never ends', 'clock() - cookie.sinceMs <= SESSION_MS && ', ''],
  ]),
  ...mutantsOf('web/desk/desk-server.ts', ATTACKS, [
    ['a form needs no token', 'if (!session.isFormToken(body?.token))', 'if (false)'],
    ['a cookie is sent to every page of the port', '; Path=${base}; HttpOnly', '; Path=/; HttpOnly'],
    ['a form leads to another site', "BACK.test(body.back ?? '') ? body.back : ''", "body.back ?? ''"],
  ]),
];
