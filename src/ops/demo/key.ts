import { issueKey, listKeys, revokeKey } from '../../access/keys.ts';
import type { Db } from '../../db/client.ts';

const LABEL = 'demo';

/** The key that a start of the demo shows. Its secret is shown once, so those of earlier starts are revoked. */
export async function issueDemoKey(db: Db, pepper: Buffer): Promise<{ id: string; secret: string }> {
  for (const { id, label, revoked_at } of await listKeys(db))
    if (label === LABEL && revoked_at === null) await revokeKey(db, id);
  return issueKey(db, pepper, LABEL);
}
