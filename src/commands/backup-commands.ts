import type { Command } from 'commander';

/** The commands `backup`, `backup verify` and `restore`. */
export function addBackup(mintmark: Command): void {
  const json = ['--json', 'print the report as JSON'] as const;
  const backup = mintmark
    .command('backup')
    .description('make a backup of everything, while everything runs')
    .argument('<folder>', 'where to write the file; - writes it to standard output')
    .option(...json)
    .addHelpText(
      'after',
      '\nThe file contains secrets: key-pepper, record-key and settings. BACKUP_DIR makes one each day.',
    )
    .action(async (to, options) => (await import('./backup.ts')).backupCommand(to, options));
  backup
    .command('verify')
    .description('restore a backup into a scratch database and compare every table; uses no other database')
    .argument('<file>')
    .option(...json)
    // `backup` has the option too, and takes it wherever it is.
    .action(async (file, _, verify) => (await import('./backup.ts')).verifyCommand(file, verify.optsWithGlobals()));
  mintmark
    .command('restore')
    .description('restore a backup into an empty installation, with the embedded database or DATABASE_URL')
    .argument('<file>', '- reads it from standard input')
    .option(...json)
    .action(async (file, options) => (await import('./restore.ts')).restoreCommand(file, options));
}
