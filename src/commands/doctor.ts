import { examine } from '../ops/doctor.ts';
import { type JsonOption, report } from './output.ts';
import { EXIT, withWorld } from './world.ts';

const MARKS = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

/** `mintmark doctor`: says what is wrong and what to do; the exit code is 1 when a finding is a FAIL. */
export async function doctorCommand(options: JsonOption): Promise<void> {
  const findings = await withWorld(({ db, config }) => examine(db, config, Date.now()));
  report(options, { findings }, () =>
    findings.map(({ state, what, advice }) => `${MARKS[state]} ${what}${advice ? `\n     → ${advice}` : ''}`),
  );
  if (findings.some(({ state }) => state === 'fail')) process.exitCode = EXIT.fault;
}
