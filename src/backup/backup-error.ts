/** Why no backup was made, in one sentence. */
export class BackupFailed extends Error {
  override name = 'BackupFailed';
}

/** Why a file cannot be restored, as the end of a sentence: "This backup cannot be used: …". */
export class UnusableBackup extends Error {
  override name = 'UnusableBackup';
  constructor(because: string, options?: ErrorOptions) {
    super(`This backup cannot be used: ${because}.`, options);
  }
}

/** Why this installation cannot be restored into, in one sentence. */
export class NotRestorable extends Error {
  override name = 'NotRestorable';
}

/** The fault of a parser that read a damaged backup as UnusableBackup; ours and those of the system as they are. */
export function damaged(error: unknown): unknown {
  const isOfParser = error instanceof Error && !(error instanceof UnusableBackup) && !('syscall' in error);
  return isOfParser ? new UnusableBackup('it is damaged, cut off, or not a backup', { cause: error }) : error;
}
