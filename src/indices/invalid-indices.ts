/** Sub-indices that cannot be used; the message names the line, the place and the reason. */
export class InvalidIndices extends Error {
  override name = 'InvalidIndices';
}
