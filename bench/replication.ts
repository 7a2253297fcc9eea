/**
 * What replication costs the primary, and how far a secondary is behind: durable writes to a secrets server without
 * replication, to a primary that nobody follows and to one with a secondary, in turns, each server a process of its own.
 * What counts is the CPU time of a write against that of both others in the same round. The lag is the time from when the primary tells its last entry until the secondary
 * has it.
 *
 *     npm run bench -- replication [--seconds 3] [--rounds 5] [--clients 16]
 */
import { parseArgs } from 'node:util';
import { load, type Rate } from './load.ts';
import { positive } from './options.ts';
import { lagWhile, startClusters } from './replication-clusters.ts';
import { median, table } from './report.ts';
import { writeDirectly } from './secrets-work.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    clients: { type: 'string', default: '16' },
  },
});
const seconds = positive('seconds', values.seconds);
const rounds = positive('rounds', values.rounds);
const connections = positive('clients', values.clients);

await using clusters = await startClusters();
const { alone, unfollowed, primary, secondary } = clusters;
const rows = [
  { name: 'secrets server alone', ...alone, work: writeDirectly(alone.token), rates: [] as Rate[] },
  {
    name: 'primary without a secondary',
    ...unfollowed,
    work: writeDirectly(unfollowed.token),
    rates: [] as Rate[],
  },
  { name: 'primary with a secondary', ...primary, work: writeDirectly(primary.token), rates: [] as Rate[] },
];
for (const row of rows) await load({ ...row, connections, seconds: 2 });
const lags: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  for (const row of rows) {
    row.rates.push(await load({ ...row, connections, seconds }));
  }
  // By itself: asking how far they are takes CPU time of the primary, which no other row has.
  const work = writeDirectly(primary.token);
  lags.push(...(await lagWhile(load({ ...primary, work, connections, seconds }), primary, secondary)));
}
/** CPU time of a write on the primary with a secondary, against another of the rows in the same round. */
const against = (other: number): string => {
  const ratios = (rows.at(-1)?.rates ?? []).map(
    ({ cpuEach }, round) => cpuEach / (rows[other]?.rates[round]?.cpuEach ?? Number.NaN),
  );
  return `${median(ratios).toFixed(2)} × (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`;
};
const sorted = lags.toSorted((one, other) => one - other);
const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
process.stdout.write(
  table(`durable writes, 1 KiB, ${connections} clients, ${rounds} rounds of ${seconds} s`, rows, 'alone'),
);
process.stdout.write(
  `  CPU of a write with a secondary: ${against(1)} of the primary without one, ${against(0)} of a server without replication\n` +
    `  lag of the secondary: median ${median(lags).toFixed(1)} ms, 99th percentile ${p99.toFixed(1)} ms, of ${lags.length} samples\n`,
);
