export type FormPart = { name: string; bytes: Buffer | string; fileName?: string };

export const BOUNDARY = 'x-boundary-of-tests';
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** A body as browsers send it. */
export function formOf(...parts: FormPart[]): Buffer {
  const pieces = parts.flatMap(({ name, bytes, fileName = 'photo.jpg' }) => [
    Buffer.from(`--${BOUNDARY}\r\n`),
    Buffer.from(`Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\n`),
    Buffer.from('Content-Type: image/jpeg\r\n\r\n'),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
