const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A number of bytes in powers of 1000: `412 MB`, `1.2 GB`. */
export function byteSize(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (at < units.length - 1 && value >= 999.5) {
    value /= 1000;
    at += 1;
  }
  const text = at === 0 || value >= 99.95 ? Math.round(value).toLocaleString('en') : value.toFixed(1);
  return `${text} ${units[at] ?? 'B'}`;
}
