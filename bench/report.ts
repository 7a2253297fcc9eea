export interface Measured {
  readonly name: string;
  /** Requests per second, one figure a round. */
  readonly rates: readonly number[];
}

/** A table of medians and of the ratios to the first row, taken round by round. */
export function table(title: string, rows: readonly Measured[]): string {
  const [reference] = rows;
  const lines = rows.map(({ name, rates }) => {
    const ratios = rates.map((rate, round) => rate / (reference?.rates[round] ?? rate));
    const range = `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
    return `  ${name.padEnd(26)} ${median(rates).toFixed(0).padStart(7)} /s   ${median(ratios).toFixed(2)} × direct  (${range})`;
  });
  return `\n${title}\n${lines.join('\n')}\n`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}
