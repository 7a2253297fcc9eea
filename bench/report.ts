import type { Rate } from './load.ts';

export interface Measured {
  readonly name: string;
  /** One a round. */
  readonly rates: readonly Rate[];
}

/**
 * A table of medians and of the ratios to the first row, taken round by round. CPU time is that of the row's own server
 * for one request.
 * @param reference what the first row is called in the ratios
 */
export function table(title: string, rows: readonly Measured[], reference: string): string {
  const [first] = rows;
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(({ name, rates }) => {
    const ratios = rates.map(
      ({ perSecond }, round) => perSecond / (first?.rates[round]?.perSecond ?? perSecond),
    );
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    const rate = median(rates.map(({ perSecond }) => perSecond));
    const cpu = median(rates.map(({ cpuEach }) => cpuEach));
    return [
      `  ${name.padEnd(width)}`,
      `${rate.toFixed(0).padStart(7)} /s`,
      Number.isNaN(cpu) ? ' '.repeat(11) : `${cpu.toFixed(0).padStart(4)} µs CPU`,
      `${median(ratios).toFixed(2)} × ${reference}  (${range})`,
    ].join('   ');
  });
  return `\n${title}\n${lines.join('\n')}\n`;
}

/** The one in the middle; between the two in the middle of an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
