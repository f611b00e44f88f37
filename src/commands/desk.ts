import { spawn } from 'node:child_process';
import { loadPepper, pepperPath } from '../access/pepper.ts';
import { hasDisplay } from '../config.ts';
import { openTitleBook } from '../sales/titles.ts';
import { openDesk } from '../web/desk/desk-server.ts';
import { type DeciderOptions, deciderOf } from './deciding.ts';
import { type JsonOption, report } from './output.ts';
import { agreedToday, CommandError, EXIT, firstSignal, withWorld } from './world.ts';

type DeskOptions = JsonOption & DeciderOptions & { port: string; open: boolean };

/** `mintmark desk`: serves the desk on this machine until it receives a signal to stop. */
export async function deskCommand(options: DeskOptions): Promise<void> {
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535)
    throw new CommandError('--port takes a whole number from 0 to 65535', EXIT.usage);
  const { by } = deciderOf(options);
  await withWorld(async ({ config, db, log }) => {
    await agreedToday(db);
    const world = {
      ...{ db: { ...db, prices: {} }, config, by, clock: Date.now },
      titles: await openTitleBook(db),
      pepper: () => loadPepper(db, pepperPath(config)),
    };
    const stopped = firstSignal();
    const desk = await openDesk(world, log, Number(options.port));
    const isOpened = options.open && !options.json && openInBrowser(desk.link);
    report(options, { url: desk.link }, () => [
      `The desk is open for ${by}. This link works once, within 15 minutes${isOpened ? '; your browser opens it' : ''}:`,
      desk.link,
      'Ctrl-C ends it.',
    ]);
    await stopped;
    await desk.close();
  });
}

/** Opens a link in the browser of a person at a terminal; false where there is neither. */
function openInBrowser(link: string): boolean {
  if (!process.stdout.isTTY || !hasDisplay()) return false;
  const [command, ...args] =
    process.platform === 'darwin'
      ? ['open', link]
      : process.platform === 'win32'
        ? ['rundll32', 'url.dll,FileProtocolHandler', link]
        : ['xdg-open', link];
  const child = spawn(command!, args, { stdio: 'ignore', detached: true });
  // The link was printed: where nothing can open it, a person does.
  child.on('error', () => {});
  child.unref();
  return true;
}
