import type { Pass } from '../../http/gate.ts';
import { ProblemError } from '../../http/problem.ts';
import type { VisionContext } from '../context.ts';
import { pictureKind } from '../pictures/decode.ts';
import type { VisionPool } from './pool.ts';

/** Photos of one caller are processed one after another, and only a few wait: workers are shared by all callers. */
export type PhotoTurns = {
  /**
   * Resolves when it is the caller's turn, with what ends the turn. `isUnderWay`: the request had a turn before, so the
   * length of the queue does not matter. Throws `rate_limited` when the queue is full, `unavailable` on abort.
   */
  next(subject: string, options: { isUnderWay: boolean; signal?: AbortSignal | undefined }): Promise<() => void>;
};

const MAX_WAITING = 4;
const RETRY_AFTER_SECONDS = 2;

export function openPhotoTurns(): PhotoTurns {
  /** Of each caller with a photo under way: what starts the next turns, in order. */
  const queues = new Map<string, (() => void)[]>();

  function end(subject: string): void {
    const start = queues.get(subject)!.shift();
    if (start === undefined) queues.delete(subject);
    else start();
  }

  return {
    next(subject, { isUnderWay, signal }) {
      const queue = queues.get(subject);
      const turn = () => {
        let isOver = false;
        return () => {
          if (!isOver) end(subject);
          isOver = true;
        };
      };
      if (queue === undefined) {
        queues.set(subject, []);
        return Promise.resolve(turn());
      }
      if (queue.length >= MAX_WAITING && !isUnderWay) return Promise.reject(tooMany());
      return new Promise((resolve, reject) => {
        const start = () => {
          signal?.removeEventListener('abort', leave);
          resolve(turn());
        };
        const leave = () => {
          queue.splice(queue.indexOf(start), 1);
          reject(new ProblemError('unavailable', 'The photo was withdrawn while it waited for its turn.'));
        };
        queue.push(start);
        signal?.addEventListener('abort', leave, { once: true });
        if (signal?.aborted) leave();
      });
    },
  };
}

/**
 * The context of a request with photos: its vision waits for the caller's turn, and once a worker has begun the request
 * counts however it ends; what is not a picture takes no worker. Without limits nothing changes.
 */
export function withPhotoTurns<C extends VisionContext>(context: C, pass: Pass | undefined): C {
  if (context.config.limits === null || pass === undefined) return context;
  let isUnderWay = false;
  const vision: VisionPool = {
    ...context.vision,
    run: (name, input, options) =>
      Promise.resolve(input.bytes)
        .then(pictureKind)
        .then(() => context.photoTurns.next(pass.caller.subject, { isUnderWay, signal: options?.signal }))
        .then((end) => {
          isUnderWay = true;
          return context.vision.run(name, input, { ...options, onBegin: () => pass.commit() }).finally(end);
        }),
  };
  return { ...context, vision };
}

function tooMany(): ProblemError {
  const detail = `One photo of yours is being processed and ${MAX_WAITING} wait. Send the next when one is answered.`;
  return new ProblemError('rate_limited', detail, {
    headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
    extra: { 'violated-policies': ['photos'] },
  });
}
