import type { RgbPixels } from '../pictures/dominant-colors.ts';
import { type EncoderSession, openSession } from './session.ts';

/** One loaded graph a thread: a model is loaded in seconds and used for long. */
let loaded: { path: string; session: Promise<EncoderSession> } | null = null;

/**
 * The embedding of a picture by the model in the file `path`: 512 values of length 1. The graph is loaded by the
 * first call and kept for the next ones; it takes the thread that calls. Throws UnusableModel.
 */
export async function embedPicture(path: string, picture: RgbPixels): Promise<Float32Array> {
  if (loaded?.path !== path) {
    const former = loaded;
    loaded = { path, session: openSession(path) };
    await former?.session.then(({ close }) => close()).catch(() => {});
  }
  const { session } = loaded;
  session.catch(() => {
    if (loaded?.session === session) loaded = null;
  });
  return (await session).embed(picture);
}
