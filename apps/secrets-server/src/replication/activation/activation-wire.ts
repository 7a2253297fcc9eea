import { isTlsKey } from '@gatehouse/service-kit/der';
import { mostAddresses } from '../link/limits.ts';
import type { SecondaryCredentials } from '../link/types.ts';

/** The wire format of an activation, which is sent in a wrapped answer or encrypted to the secondary's public key. */
export interface ActivationWire {
  readonly id: string;
  readonly cluster_id: string;
  readonly ca_cert: string;
  readonly client_cert: string;
  readonly client_key: string;
  readonly addrs: readonly string[];
  readonly digest_key: string;
}

export function activationWire(credentials: SecondaryCredentials): ActivationWire {
  return {
    id: credentials.id,
    cluster_id: credentials.primaryClusterId,
    ca_cert: credentials.authority,
    client_cert: credentials.client.cert,
    client_key: credentials.client.key,
    addrs: credentials.addresses,
    digest_key: credentials.digestKey,
  };
}

/** Parses an activation from an untrusted source; undefined if it is no secondary's activation. */
export function credentialsOf(value: unknown): SecondaryCredentials | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { addrs, ...rest } = value as Partial<Record<keyof ActivationWire, unknown>>;
  const { id, cluster_id, ca_cert, client_cert, client_key, digest_key } = rest;
  if (typeof id !== 'string' || typeof cluster_id !== 'string' || typeof ca_cert !== 'string')
    return undefined;
  if (typeof client_cert !== 'string' || typeof client_key !== 'string') return undefined;
  if (!isTlsKey(client_key)) return undefined;
  if (typeof digest_key !== 'string' || !isTexts(addrs) || addrs.length > mostAddresses) return undefined;
  return {
    id,
    primaryClusterId: cluster_id,
    authority: ca_cert,
    client: { cert: client_cert, key: client_key },
    addresses: addrs,
    digestKey: digest_key,
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
