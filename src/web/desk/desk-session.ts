import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** What the next page shows once. `key`: of an application that was accepted; it is shown nowhere else. */
export type DeskNotice = {
  kind: 'done' | 'fault';
  text: string;
  key?: { id: string; secret: string; contactEmail: string };
};

/**
 * The one session of a desk. Its pages are in a folder with a random name, so that no other program of this machine is sent
 * the cookie, which browsers give to every port of a host.
 */
export type DeskSession = {
  folder: string;
  /** The token of the link: works once, for `LINK_MS`. */
  linkToken: string;
  /** Takes the token of the link: it begins the session the first time, and is `used` afterwards or when it is too old. */
  enter(token: string): 'entered' | 'used' | 'wrong';
  /** The value of the cookie; null before the link was opened. */
  cookie(): string | null;
  isCookie(value: string | undefined): boolean;
  /** The token of every form. */
  formToken: string;
  isFormToken(value: string | undefined): boolean;
  /** Keeps a notice for the next page; takes it. */
  notify(notice: DeskNotice): void;
  takeNotice(): DeskNotice | null;
};

export const LINK_MS = 15 * 60_000;
export const SESSION_MS = 12 * 3_600_000;

/** Opens the session of a desk; its link is valid from now on. */
export function openDeskSession(clock: () => number): DeskSession {
  const openedMs = clock();
  const linkToken = newToken();
  const formToken = newToken();
  let cookie: { value: string; sinceMs: number } | null = null;
  let notice: DeskNotice | null = null;
  return {
    folder: newToken().slice(0, 16),
    linkToken,
    enter(token) {
      if (!isSame(token, linkToken)) return 'wrong';
      if (cookie !== null || clock() - openedMs > LINK_MS) return 'used';
      cookie = { value: newToken(), sinceMs: clock() };
      return 'entered';
    },
    cookie: () => cookie?.value ?? null,
    isCookie: (value) => cookie !== null && clock() - cookie.sinceMs <= SESSION_MS && isSame(value, cookie.value),
    formToken,
    isFormToken: (value) => isSame(value, formToken),
    notify(one) {
      notice = one;
    },
    takeNotice() {
      const taken = notice;
      notice = null;
      return taken;
    },
  };
}

function newToken(): string {
  return randomBytes(32).toString('base64url');
}

function isSame(given: string | undefined, known: string): boolean {
  const [a, b] = [given ?? '', known].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}
