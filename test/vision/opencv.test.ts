import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('OpenCV leaves the process without listeners of its own for faults that are not its', () => {
  const script = `
    import { openCv } from './src/vision/opencv.ts';
    const { cv } = await openCv();
    const mat = new cv.Mat(2, 2, cv.CV_8U);
    mat.delete();
    console.log(process.listenerCount('uncaughtException'), process.listenerCount('unhandledRejection'));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  const cwd = new URL('../..', import.meta.url);
  expect(execFileSync(process.execPath, args, { cwd, encoding: 'utf8' }).trim()).toBe('0 0');
});
