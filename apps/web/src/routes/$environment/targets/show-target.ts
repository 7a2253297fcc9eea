import { unlimitedConnections } from '@gatehouse/api-types/console/targets';

/** `28,800 s (8 h)` */
export function showDuration(value: unknown): string {
  if (typeof value !== 'number') return '';
  const units: [number, string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ];
  const unit = units.find(
    ([seconds]) => value >= seconds && value % (seconds / (seconds === 60 ? 1 : 2)) === 0,
  );
  const seconds = `${value.toLocaleString('en')} s`;
  return unit === undefined ? seconds : `${seconds} (${String(value / unit[0])} ${unit[1]})`;
}

/** `No limit`, or how many. */
export function showLimit(value: unknown): string {
  return value === unlimitedConnections
    ? 'No limit'
    : typeof value === 'number'
      ? value.toLocaleString('en')
      : '';
}
