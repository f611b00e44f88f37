import { channel } from 'node:diagnostics_channel';
import { stat } from 'node:fs/promises';
import { BYTES_READ_CHANNEL, listFiles } from '../catalog/formats/files.ts';
import { counted } from '../lib/counted.ts';

/** A line on the terminal about long work: how much, how fast, how much time is left. */
export type ProgressLine = {
  /** `done` of `total` (null when unknown); `note` comes before the figures. */
  update(note: string, done: number, total: number | null): void;
  /** Ends the line; that of long work stays, and states that all of it is done. */
  end(last?: { note: string; total: number }): void;
};

const REDRAW_MS = 200;
const PLAIN_MS = 10_000;
const ERASED = '\r\x1b[K';
/** The time that is left is estimated from this share on. */
const LEAST_KNOWN = 0.03;
/** Work that begins this soon after other work is, to who waits, the same. */
const SAME_WAIT_MS = 2000;
let ended = { quietSinceMs: 0, atMs: 0 };

/**
 * Opens a progress line for things counted in `unit` (`sale`, `record`). Where stderr is not a terminal it is
 * a line of its own every ten seconds, also over several pieces of work: a log shows that the work goes on.
 */
export function openProgress(unit: string): ProgressLine {
  const out = process.stderr;
  const startedMs = Date.now();
  let drawnMs = startedMs - ended.atMs < SAME_WAIT_MS ? ended.quietSinceMs : startedMs;
  if (out.isTTY) drawnMs = 0;
  let drawn = false;
  const write = (note: string, done: number, total: number | null, after: string): void => {
    const seconds = Math.max(0.001, (Date.now() - startedMs) / 1000);
    // The beginning of slow work says little about the rest of it.
    const isKnown = total !== null && done >= LEAST_KNOWN * total && 0 < done && done < total;
    const left = !isKnown ? '' : `, ${duration((seconds * (total - done)) / done)} left`;
    const share = total === null || total === 0 ? '' : ` (${Math.min(100, Math.floor((100 * done) / total))}%)`;
    const speed = `${counted(Math.round(done / seconds), unit)}/s`;
    out.write(`${out.isTTY ? ERASED : ''}${note}: ${counted(done, unit)}${share}, ${speed}${left}${after}`);
  };
  return {
    update(note, done, total) {
      const nowMs = Date.now();
      if (nowMs - drawnMs < (out.isTTY ? REDRAW_MS : PLAIN_MS)) return;
      drawnMs = nowMs;
      drawn = true;
      write(note, done, total, out.isTTY ? '' : '\n');
    },
    end(last) {
      const nowMs = Date.now();
      ended = { quietSinceMs: drawnMs, atMs: nowMs };
      if (!drawn) return;
      if (last !== undefined && nowMs - startedMs >= PLAIN_MS) write(last.note, last.total, last.total, '\n');
      else if (out.isTTY) out.write(ERASED);
    },
  };
}

/**
 * Shows an import of files, each read `times` times: how many of `row` are read, by the bytes of the files how much is left,
 * and the first problems.
 */
export async function watchImport(paths: readonly string[], row: string, times = 1) {
  const progress = openProgress('byte');
  let total = 0;
  for (const file of await listFiles(paths, [''])) total += times * (await stat(file)).size;
  let done = 0;
  const onBytes = (bytes: unknown) => {
    done += bytes as number;
  };
  channel(BYTES_READ_CHANNEL).subscribe(onBytes);
  let problems = 0;
  let note = '';
  return {
    update(count: number): void {
      note = counted(count, row);
      // A format may read the beginning of a file several times to see how it is written.
      progress.update(note, Math.min(done, total), total);
    },
    problem(text: string): void {
      if (problems++ < SHOWN_PROBLEMS) console.error(text);
    },
    problems: () => problems,
    /** Ends the watching; `list` says where the problems that were not shown are found. */
    end(list = ' like these'): void {
      channel(BYTES_READ_CHANNEL).unsubscribe(onBytes);
      // Files that the format does not need are in the total, and are not read.
      progress.end({ note, total });
      if (problems > SHOWN_PROBLEMS) console.error(`… and ${problems - SHOWN_PROBLEMS} more${list}`);
    },
  };
}

const SHOWN_PROBLEMS = 50;

/** Prints the first problems, one a line, and how many more there are. */
export function showProblems(problems: readonly string[]): void {
  for (const problem of problems.slice(0, SHOWN_PROBLEMS)) console.error(problem);
  if (problems.length > SHOWN_PROBLEMS) console.error(`… and ${problems.length - SHOWN_PROBLEMS} more like these`);
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (seconds < 5400) return `${Math.ceil(seconds / 60)} min`;
  return `${(seconds / 3600).toFixed(1)} h`;
}
