/** Generates load, measures rows in turns, and prints tables of ratios. */
import { Pool } from 'undici';
import type { Method, Server } from './harness.ts';

/** Says what connection `slot` sends next. */
export type Work = (slot: number) => {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** How fast something was done. */
export interface Rate {
  readonly perSecond: number;
  /** The servers' CPU time for each, in microseconds; NaN if they don't report it. */
  readonly cpuEach: number;
}

/** Measures the time of work. @param count the amount of work, in the unit of the rate */
export async function timed(
  count: number,
  servers: readonly Pick<Server, 'used'>[],
  work: () => unknown,
): Promise<Rate> {
  const cpu = async (): Promise<number> => {
    const used = await Promise.all(servers.map(async (one) => (await one.used?.())?.cpu ?? Number.NaN));
    return used.length === 0 ? Number.NaN : used.reduce((sum, one) => sum + one);
  };
  const before = await cpu();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  return { perSecond: count / seconds, cpuEach: ((await cpu()) - before) / count };
}

/**
 * Keeps all connections busy, with one request at a time on each, for a time or a number of requests.
 * @throws Error at the first answer that isn't 200
 */
export async function load(
  server: Pick<Server, 'origin' | 'used'>,
  work: Work,
  how: { readonly connections: number; readonly seconds?: number; readonly requests?: number },
): Promise<Rate> {
  const { connections, seconds = Infinity, requests = Infinity } = how;
  const pool = new Pool(server.origin, { connections });
  const end = performance.now() + seconds * 1000;
  let sent = 0;
  const busy = async (_: unknown, slot: number): Promise<void> => {
    while (performance.now() < end && sent < requests) {
      sent += 1;
      const asked = work(slot);
      const answer = await pool.request(asked);
      if (answer.statusCode !== 200)
        throw new Error(`${asked.method} ${asked.path}: ${answer.statusCode} ${await answer.body.text()}`);
      await answer.body.dump();
    }
  };
  try {
    const all = (): Promise<unknown> => Promise.all(Array.from({ length: connections }, busy));
    const { perSecond, cpuEach } = await timed(1, [server], all);
    return { perSecond: perSecond * sent, cpuEach: cpuEach / sent };
  } finally {
    await pool.destroy();
  }
}

/** A measured alternative. */
export interface Row<Result> {
  readonly name: string;
  readonly run: () => Promise<Result>;
}

/**
 * Measures rows in turns, so that the machine's other work slows all of them equally.
 * @returns each row's results, one per round
 */
export async function inTurns<Result>(
  rows: readonly Row<Result>[],
  rounds: number,
  afterRound?: () => Promise<void>,
): Promise<readonly { readonly name: string; readonly results: readonly Result[] }[]> {
  const measured = rows.map(({ name, run: measure }) => ({ name, measure, results: [] as Result[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, results } of measured) results.push(await measure());
    await afterRound?.();
  }
  return measured;
}

/**
 * Prints medians, and the ratios to the first row, round by round.
 * @param unit the rates' unit; CPU time is per unit
 * @param reference the name of the first row in the ratios
 */
export function printRates(
  title: string,
  rows: readonly { readonly name: string; readonly results: readonly Rate[] }[],
  { unit = '/s', reference }: { readonly unit?: string; readonly reference: string },
): void {
  const first = rows[0]?.results ?? [];
  print(`\n${title}\n`);
  for (const { name, results } of rows) {
    const ratios = results.map(({ perSecond }, round) => perSecond / (first[round]?.perSecond ?? perSecond));
    const rate = median(results.map(({ perSecond }) => perSecond)).toPrecision(3);
    const cpu = median(results.map(({ cpuEach }) => cpuEach));
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    print(
      `  ${name.padEnd(28)} ${Number(rate).toString().padStart(7)} ${unit}   ` +
        `${Number.isNaN(cpu) ? ' '.repeat(12) : `${cpu.toFixed(0).padStart(5)} µs CPU`}   ` +
        `${median(ratios).toFixed(2)} × ${reference}  (${range})\n`,
    );
  }
}

/** Prints how long answers took, in milliseconds: the median of the rounds. */
export function printTimes(
  title: string,
  rows: readonly { readonly name: string; readonly results: readonly (readonly number[])[] }[],
): void {
  print(`\n${title}, in ms\n`);
  for (const { name, results } of rows) {
    const columns = { median: 0.5, p99: 0.99, worst: 1 };
    const cells = Object.entries(columns).map(([column, part]) => {
      const ms = median(results.map((times) => percentile(times, part)));
      return `${column} ${ms.toFixed(1).padStart(7)}`;
    });
    print(`  ${name.padEnd(28)} ${cells.join('   ')}\n`);
  }
}

export function print(text: string): void {
  process.stdout.write(text);
}

/** The middle value, or the mean of the two middle values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

/** @param part 0.99 for the 99th percentile */
export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? Number.NaN;
}
