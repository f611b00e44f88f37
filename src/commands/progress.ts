import { channel } from 'node:diagnostics_channel';
import { stat } from 'node:fs/promises';
import { BYTES_READ_CHANNEL, listFiles } from '../catalog/formats/files.ts';

/** A line on the terminal about long work: how much, how fast, how long still. Silent when stderr is not a terminal. */
export type ProgressLine = {
  /** `done` of `total` (null when unknown); `note` is what stands before the figures. */
  update(note: string, done: number, total: number | null): void;
  /** Ends the line. */
  end(): void;
};

const REDRAW_MS = 200;

/** Opens a progress line for things counted in `unit` (`sales`, `records`). */
export function openProgress(unit: string): ProgressLine {
  const out = process.stderr;
  if (!out.isTTY) return { update() {}, end() {} };
  const startedMs = Date.now();
  let drawnMs = 0;
  let drawn = false;
  return {
    update(note, done, total) {
      const nowMs = Date.now();
      if (nowMs - drawnMs < REDRAW_MS) return;
      drawnMs = nowMs;
      drawn = true;
      const seconds = Math.max(0.001, (nowMs - startedMs) / 1000);
      const left = total === null || done === 0 ? '' : `, ${duration((seconds * (total - done)) / done)} left`;
      const share = total === null || total === 0 ? '' : ` (${Math.min(100, Math.floor((100 * done) / total))} %)`;
      out.write(
        `\r\x1b[K${note}: ${done.toLocaleString('en')} ${unit}${share}, ${Math.round(done / seconds).toLocaleString('en')}/s${left}`,
      );
    },
    end() {
      if (drawn) out.write('\r\x1b[K');
    },
  };
}

/** Opens a line about an import of files, which counts its `rows` and says by the bytes read how much is left. */
export async function followFiles(paths: readonly string[], rows: string): Promise<FileProgress> {
  const progress = openProgress('bytes');
  let total = 0;
  for (const file of await listFiles(paths, [''])) total += (await stat(file)).size;
  let done = 0;
  const onBytes = (bytes: unknown) => {
    done += bytes as number;
  };
  channel(BYTES_READ_CHANNEL).subscribe(onBytes);
  return {
    update: (count) => progress.update(`${count.toLocaleString('en')} ${rows}`, done, total),
    end() {
      channel(BYTES_READ_CHANNEL).unsubscribe(onBytes);
      progress.end();
    },
  };
}

type FileProgress = { update(count: number): void; end(): void };

const SHOWN_PROBLEMS = 50;

/** Prints the first problems of an import, one a line; `end` says how many more there were. */
export function openProblems() {
  let count = 0;
  return {
    show(problem: string): void {
      if (count++ < SHOWN_PROBLEMS) console.error(problem);
    },
    count: () => count,
    end(more = ' like these'): void {
      if (count > SHOWN_PROBLEMS) console.error(`… and ${count - SHOWN_PROBLEMS} more${more}`);
    },
  };
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
