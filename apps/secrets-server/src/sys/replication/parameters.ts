import type { Body } from '../../core/body.ts';
import { textField } from '../../core/fields.ts';
import { badRequest } from '../../core/refusal.ts';
import { isClusterAddress } from '../../replication/running/cluster-listener.ts';

/** Parses a cluster address as `host:port`; clients may send an https URL. @throws Refusal 400 */
export function clusterAddress(given: string, name: string): string {
  const address = given
    .trim()
    .replace(/^https:\/\//i, '')
    .replace(/\/$/, '');
  if (isClusterAddress(address)) return address;
  throw badRequest(
    `${name} is "${given}": a cluster address is a host and a port, such as vault.example:8201`,
  );
}

/** Reads the body's `primary_cluster_addr`; empty if it is missing. @throws Refusal 400 */
export function clusterAddressField(body: Body): string {
  const given = textField(body, 'primary_cluster_addr') ?? '';
  return given === '' ? '' : clusterAddress(given, 'primary_cluster_addr');
}

/** Reads the body's `id`. @throws Refusal 400 if it is missing */
export function requiredId(body: Body): string {
  const id = (textField(body, 'id') ?? '').trim();
  if (id === '') throw badRequest('missing id');
  return id;
}
