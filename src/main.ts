import { endWith } from './commands/ending.ts';
import { program } from './program.ts';

for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Its reader may leave at any time (`mintmark … | head`): the work goes on without it.
    if (error.code !== 'EPIPE') process.exit(endWith(error));
  });
}
/** What a failed command has left open, such as a thread, keeps the process no longer than this: a supervisor waits for its end. */
const ENDS_WITHIN_MS = 5_000;

process.on('uncaughtException', (error) => process.exit(endWith(error)));

try {
  await program().parseAsync();
} catch (error) {
  process.exitCode = endWith(error);
  setTimeout(() => process.exit(), ENDS_WITHIN_MS).unref();
}
