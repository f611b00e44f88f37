import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newTurns } from '../../src/lib/in-turn.ts';

test('work runs one after another in the order given, whatever it takes, and goes on after a failure', async () => {
  const inTurn = newTurns();
  const events: string[] = [];
  const work = (name: string, ms: number, fails = false) =>
    inTurn(async () => {
      events.push(`${name} begins`);
      await sleep(ms);
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const [slow, failing, quick] = [work('slow', 20), work('failing', 5, true), work('quick', 0)];
  await expect(failing).rejects.toThrow('failing');
  expect(await Promise.all([slow, quick])).toEqual(['slow', 'quick']);
  expect(events).toEqual(
    ['slow begins', 'slow ends', 'failing begins', 'failing ends'].concat(['quick begins', 'quick ends']),
  );
});
