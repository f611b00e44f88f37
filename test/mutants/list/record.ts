import { type Mutant, mutantsOf } from '../mutant.ts';

export const RECORD: Mutant[] = [
  ...mutantsOf(
    'record/merkle.ts',
    ['record/merkle.test.ts'],
    [
      ['leaves are hashed like nodes', '`\\0${data}`', '`\\x01${data}`'],
      [
        'a path that is too short includes a leaf',
        'return last === 0 && hash.equals(root);',
        'return hash.equals(root);',
      ],
      ['a consistency proof splits at the old size', 'if (oldSize <= middle) {', 'if (oldSize < middle) {'],
      [
        'a chain that does not begin with the older one continues it',
        'last === 0 && oldHash.equals(old.root) && newHash.equals(now.root)',
        'last === 0 && newHash.equals(now.root)',
      ],
    ],
  ),
  ...mutantsOf(
    'record/signed-note.ts',
    ['record/signed-note.test.ts'],
    [
      [
        'a note that names the key counts as signed by it',
        'return isSignedBy(key.publicKey, text, bytes.subarray(KEY_HASH_BYTES)) ? text : null;',
        'return text;',
      ],
      ['a key may have the hash of another', "keyHashOf(key).toString('hex') === hashHex ? key : null", 'key'],
    ],
  ),
  ...mutantsOf(
    'record/verify.ts',
    ['record/forged-receipts.test.ts'],
    [
      [
        'a line is taken without its proof',
        'isIncluded(leafHash(line), index, { size, root: bytesOf(root) }, path.map(bytesOf)),',
        'index >= 0 && size > 0,',
      ],
      [
        'a day is taken without its proof',
        'check(isIncluded(leaf, day.index, head, day.path.map(bytesOf)),',
        'check(leaf,',
      ],
      ['the checkpoint may be of a later day', 'last?.index === head.size - 1', 'last !== undefined'],
      ['the header may be of another day', "check(header.day === day, 'the header is of another day');", ''],
      [
        'daily values may be of another day',
        'check(found.length === 1 && found[0]!.recorded === day,',
        'check(found.length === 1,',
      ],
      [
        'the snapshot may be of another card',
        'snapshots.length === 1 && snapshot!.line.item === receipt.item.id',
        'snapshots.length === 1',
      ],
      ['the market may be of another game', 'market.game === game && receipt.item.game === game', 'market'],
      ['lines that the price does not need are taken', 'check(lines.length === used,', 'check(lines.length >= used,'],
      [
        'a price needs no signature of its own',
        "check(isSigned || !isMatch, 'its signature is wrong');",
        '',
        ['record/verify-command.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'record/trusted-keys.ts',
    ['record/rotate-key.test.ts'],
    [
      [
        'any key is a key of the record',
        'signature !== null && isSignedBy(before.publicKey, unsignedText(line), signature),',
        'signature !== null,',
      ],
    ],
  ),
  ...mutantsOf(
    'receipts/record-chain.ts',
    ['record/receipts.test.ts'],
    [
      [
        'a checkpoint is of the chain of the day before',
        'const size = placeOf(chain, day) + 1;',
        'const size = placeOf(chain, day);',
      ],
      [
        'a new key does not sign its first day',
        'key.day === null || key.day <= day',
        'key.day === null || key.day < day',
        ['record/rotate-key.test.ts'],
      ],
    ],
  ),
  ...mutantsOf(
    'receipts/record-keys.ts',
    ['record/rotate-key.test.ts'],
    [
      [
        'the key of another installation signs',
        'if (key !== null && expected!.equals(publicKeyOf(key))) return key;',
        'if (key !== null) return key;',
      ],
      ['checkpoints so far lose the old signature', 'where signature is null', 'where false'],
    ],
  ),
  ...mutantsOf(
    'pricing/record/ledger-events.ts',
    ['record/day-files.test.ts'],
    [
      ['rejected sales are not in the record', 'if (rejected.length > 0)', 'if (rejected.length > 1e9)'],
      ['rejected sales reported late are not in the record', 'if (overdue && span.closedDay !== null)', 'if (false)'],
      ['sales taken out again are not in the record', 'if (voided.length > 0)', 'if (voided.length > 1e9)'],
    ],
  ),
  ...mutantsOf(
    'pricing/record/close-record.ts',
    ['record/day-files.test.ts'],
    [
      ['every day is the first of the record', 'open.previous = made.root;', ''],
      [
        'changes of the key are not in the record',
        'add(line);\n  const inForce',
        'void line;\n  const inForce',
        ['record/rotate-key.test.ts'],
      ],
      [
        'a version of the model continues the record without what is in force',
        'isBase: last?.continues !== true',
        'isBase: last === undefined',
        ['record/base-day.test.ts'],
      ],
    ],
  ),
];
