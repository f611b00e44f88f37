import { formatDay } from '../lib/day.ts';
import { CannotRotate, originOf, recordKeyPath, rotateKey } from '../receipts/record-keys.ts';
import { type JsonOption, report } from './output.ts';
import { CommandError, withWorld } from './world.ts';

/** `mintmark record rotate-key`: a new key signs the record from the next close on. */
export async function rotateKeyCommand(options: JsonOption): Promise<void> {
  await withWorld(async ({ config, db }) => {
    const { key, day } = await rotateKey(db, recordKeyPath(config), originOf(config.baseUrl)).catch(
      (error: unknown) => {
        throw error instanceof CannotRotate ? new CommandError(error.message) : error;
      },
    );
    report(options, { key, day: formatDay(day) }, () => [
      `the record is signed by ${key} from ${formatDay(day)} on; the key before signed that change`,
    ]);
  });
}
