import { unlimitedConnections } from '@gatehouse/api-types/console/target-values';
import type { Target } from '@gatehouse/api-types/console/targets';

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

/** `No limit`, or the limit. */
export function showLimit(value: unknown): string {
  return value === unlimitedConnections
    ? 'No limit'
    : typeof value === 'number'
      ? value.toLocaleString('en')
      : '';
}

/** What sessions connect to, such as `db.internal:5432` or `[::1]:22`; empty for a target without an address. */
export function showDestination({ address, type, attributes }: Target): string {
  if (address === '') return '';
  const port = attributes.default_port ?? { ssh: 22, rdp: 3389 }[type] ?? null;
  if (port === null) return address;
  return `${address.includes(':') ? `[${address}]` : address}:${String(port)}`;
}

/** Replaces the address of a target without one: `2 host sets`; empty if it has neither. */
export function showHostSets({ host_source_ids: { length } }: Pick<Target, 'host_source_ids'>): string {
  return length === 0 ? '' : length === 1 ? '1 host set' : `${length} host sets`;
}
