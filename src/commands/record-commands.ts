import type { Command } from 'commander';
import { reporting } from './options.ts';

/** The commands of the public record: `verify`, and `record rotate-key`. */
export function addRecord(mintmark: Command): void {
  reporting(
    mintmark.command('verify'),
    `{"isVerified": false, "because"} | {"isVerified": true, "isMatch", "isSigned", "key", "recomputed": {…}, "published": {…}}; of bulk files {"isVerified": true, "isMatch", "day", "files", "matching": […], "other": […]}`,
  )
    .description(
      'check a receipt: its signatures, its proofs, and its price, computed from its lines alone; or the list of bulk files and what was downloaded',
    )
    .argument('<receipt>', 'a file or an address, https://…/v1/receipts/… or https://…/v1/bulk')
    .option('--files <folder>', 'of bulk files: check those in this folder by their digests')
    .option('--key <key>', 'require that this key, as GET /v1/record states it, has signed the record')
    .addHelpText('after', '\nExit codes: 0 prices or files match, 1 they differ, 2 not verified. It needs no database.')
    .action(async (place, options) => (await import('./verify.ts')).verifyCommand(place, options));
  reporting(
    mintmark.command('record').description('change the key that signs the public record').command('rotate-key'),
    '{"key", "day"}',
  )
    .description('sign the record with a new key from the next close on')
    .action(async (options) => (await import('./record.ts')).rotateKeyCommand(options));
}
