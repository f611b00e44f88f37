import { userInfo } from 'node:os';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Decider } from '../decisions/decisions.ts';
import { CommandError, EXIT } from './world.ts';

const MAX_WHY_CHARS = 500;
const MAX_NAME_CHARS = 100;

export type DeciderOptions = { by?: string; why?: string };

/** Who decides, and why. Throws CommandError for texts that are not kept. */
export function deciderOf({ by, why }: DeciderOptions): Decider {
  return {
    by: textOption('--by', by, MAX_NAME_CHARS) ?? userName(),
    why: textOption('--why', why, MAX_WHY_CHARS),
  };
}

/** The trimmed text of an option; null where it is not given. Throws CommandError for one that is empty or too long. */
export function textOption(name: string, given: string | undefined, maxChars: number): string | null {
  const text = given?.trim();
  if (text !== undefined && (text === '' || text.length > maxChars))
    throw new CommandError(`${name} takes 1 to ${maxChars} characters`, EXIT.usage);
  return text ?? null;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without a name, as in many containers.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** What is typed at the terminal. Throws CommandError with `otherwise` when the input ends instead (Ctrl-D, Ctrl-C). */
export function answerTo(terminal: Interface, question: string, otherwise: string): Promise<string> {
  return terminal.question(question).catch((error: Error) => {
    throw error.name === 'AbortError' ? new CommandError(otherwise, EXIT.usage) : error;
  });
}

/** Asks before a command acts; returns only after a yes. Throws CommandError without one, and where nobody can be asked. */
export async function confirm(question: string, { yes = false }: { yes?: boolean }): Promise<void> {
  if (yes) return;
  if (!process.stdin.isTTY) throw new CommandError(`${question} Add --yes to do it.`, EXIT.usage);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await answerTo(terminal, `${question} [y/N] `, 'nothing was changed');
  terminal.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandError('nothing was changed', EXIT.usage);
}
