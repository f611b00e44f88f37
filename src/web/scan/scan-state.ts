import type { Db } from '../../db/client.ts';
import { DESCRIPTOR } from '../../vision/descriptor.ts';
import { hasVectors, VECTORS_CHANNEL } from '../../vision/vectors/stored-vectors.ts';

/** Whether photos can be compared with pictures of the catalog; where they cannot, pages do not offer to scan. */
export type ScanState = { isOpen(): boolean };

/** Reads the state, and again after each NOTIFY of changed vectors; `onChange` is called when it becomes another. */
export async function openScanState(db: Db, onChange: () => void): Promise<ScanState> {
  let isOpen = await hasVectors(db, DESCRIPTOR.name);
  await db.listen(VECTORS_CHANNEL, () => {
    hasVectors(db, DESCRIPTOR.name).then(
      (now) => {
        if (now === isOpen) return;
        isOpen = now;
        onChange();
      },
      // The next notification reads it again.
      () => {},
    );
  });
  return { isOpen: () => isOpen };
}
