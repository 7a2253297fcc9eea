/**
 * What replication costs the primary, and how far a secondary is behind: durable writes to a secrets server without
 * replication, to a primary that nobody follows and to one with a secondary. What counts is the CPU time of a write against
 * that of both others in the same round. The lag is the time from when the primary reports its last entry until the
 * secondary has it.
 *
 *     npm run bench -- replication [--seconds 3] [--rounds 5] [--clients 16]
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { call, openBench, options, until, type Server } from './harness.ts';
import { inTurns, load, median, percentile, print, printRates } from './measure.ts';
import { writeDirectly } from './secret-writes.ts';

const { seconds, rounds, clients: connections } = options({ seconds: 3, rounds: 5, clients: 16 });
const performancePath = '/v1/sys/replication/performance';

await using bench = await openBench();
const alone = await bench.service('secrets', 'alone');
const unfollowed = await bench.service('secrets', 'unfollowed');
const primary = await bench.service('secrets', 'primary');
const secondary = await bench.service('secrets', 'secondary');
for (const one of [unfollowed, primary]) await call(one, 'POST', `${performancePath}/primary/enable`, {});
const { wrap_info: wrapped } = await call<{ wrap_info: { token: string } }>(
  primary,
  'POST',
  `${performancePath}/primary/secondary-token`,
  { id: 'secondary' },
);
await call(secondary, 'POST', `${performancePath}/secondary/enable`, { token: wrapped.token });
await follows(await lastEntry(primary));

const servers = {
  'secrets server alone': alone,
  'primary without a secondary': unfollowed,
  'primary with a secondary': primary,
};
const rows = Object.entries(servers).map(([name, server]) => {
  const work = writeDirectly(server);
  return {
    name,
    warmUp: () => load(server, work, { connections, seconds: 2 }),
    run: () => load(server, work, { connections, seconds }),
  };
});
for (const { warmUp } of rows) await warmUp();
const lags: number[] = [];
// Measured alone, because polling both clusters takes CPU time of the primary, unlike the other rows.
const measured = await inTurns(rows, rounds, async () => {
  const over = new AbortController();
  const work = writeDirectly(primary);
  const writing = load(primary, work, { connections, seconds }).finally(() => over.abort());
  while (!over.signal.aborted) {
    const wanted = await lastEntry(primary);
    const asked = performance.now();
    await follows(wanted);
    lags.push(performance.now() - asked);
    await sleep(20);
  }
  await writing;
});
printRates(`durable writes, 1 KiB, ${connections} clients, ${rounds} rounds of ${seconds} s`, measured, {
  reference: 'alone',
});
/** CPU time of a write to the primary with a secondary, compared with another row of the same round. */
const against = (other: number): string => {
  const ratios = (measured.at(-1)?.results ?? []).map(
    ({ cpuEach }, round) => cpuEach / (measured[other]?.results[round]?.cpuEach ?? Number.NaN),
  );
  return `${median(ratios).toFixed(2)} × (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
};
print(
  `  CPU of a write with a secondary: ${against(1)} of the primary without one, ${against(0)} of a server without replication\n` +
    `  lag of the secondary: median ${median(lags).toFixed(1)} ms, 99th percentile ${percentile(lags, 0.99).toFixed(1)} ms, of ${lags.length} samples\n`,
);

/** Number of a cluster's last write; -1 while it has none. */
async function lastEntry({ origin }: Server): Promise<number> {
  const { data } = await call<{ data: { last_wal?: number; last_remote_wal?: number } | null }>(
    { origin, headers: {} },
    'GET',
    `${performancePath}/status`,
  );
  return data?.last_wal ?? data?.last_remote_wal ?? -1;
}

function follows(wanted: number): Promise<void> {
  return until(async () => (await lastEntry(secondary)) >= wanted, 'The secondary does not follow.');
}
