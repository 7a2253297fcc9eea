import { silentLog } from '@gatehouse/service-kit/log';
import { expect, test } from 'vitest';
import { heartbeat } from './lease.ts';

test('a lease is extended until it is lost, also after the database failed, and not after its end', async () => {
  const answers: (boolean | Error)[] = [true, new Error('busy'), true, false];
  let lost = 0;
  const beats = { log: silentLog, heartbeatMs: 1 };
  const extend = async (): Promise<boolean> => {
    const answer = answers.shift() ?? true;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const end = heartbeat(extend, () => (lost += 1), beats);
  await expect.poll(() => lost).toBe(1);
  await end();
  expect(answers).toEqual([]);
  answers.push(true);
  await heartbeat(extend, () => (lost += 1), { log: silentLog })();
  expect([answers, lost]).toEqual([[true], 1]);
});
