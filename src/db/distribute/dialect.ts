/**
 * SQL that differs on a cluster: `plain`, unless the tables are distributed. Any other server reads `cluster` as a
 * comment, so that its statements and plans are those of `plain`. Neither part contains another one, nor a comment.
 */
export function onCluster(plain: string, cluster: string): string {
  return `/*<*/${plain}/*|${cluster}>*/`;
}

/** A statement as a cluster gets it. */
export function forCluster(text: string): string {
  return text.replace(/\/\*<\*\/[\s\S]*?\/\*\|([\s\S]*?)>\*\//g, (_, cluster: string) => cluster);
}
