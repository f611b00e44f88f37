const [MARKER, STUFFED, TEM, RST0, EOI, SOS] = [0xff, 0x00, 0x01, 0xd0, 0xd9, 0xda];

/**
 * Scans of a JPEG, counted up to `most` + 1 by its markers (ITU-T T.81, annex B) without decoding: a progressive picture
 * is read to its last scan before its first row, and a scan of a few bytes costs as much time as one of megabytes.
 */
export function jpegScans(bytes: Uint8Array, most: number): number {
  let scans = 0;
  // Behind the marker of its start.
  let at = 2;
  while (scans <= most && at + 1 < bytes.length) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== MARKER || marker === MARKER) at += 1;
    else if (marker === STUFFED || marker === TEM || (marker >= RST0 && marker < EOI)) at += 2;
    else if (marker === EOI) break;
    else if (marker === SOS) {
      scans++;
      at += 2;
    } else at += 2 + Math.max(2, (bytes[at + 2]! << 8) | bytes[at + 3]!);
  }
  return scans;
}
