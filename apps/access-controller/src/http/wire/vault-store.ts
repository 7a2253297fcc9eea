import type { VaultStore } from '../../domain/credential/store.ts';
import type { FieldFaults } from '../../domain/refusal.ts';
import { connectionFields } from '../../domain/vault-store/connection.ts';
import type { ConnectionChange } from '../../domain/vault-store/connection.ts';
import { statusAt } from '../../domain/vault-store/token.ts';
import type { JsonObject } from '../body.ts';
import { readAttributes } from './attributes.ts';
import { wireTime } from './time.ts';

/**
 * The attributes of a store of type vault. Instead of its secrets they have keyed hashes, which show only whether
 * they change.
 */
export function wireVaultAttributes(
  { connection, fingerprints, token }: VaultStore,
  now: number,
): Readonly<Record<string, unknown>> {
  return {
    address: connection.address,
    namespace: connection.namespace,
    ca_cert: connection.caCert,
    tls_server_name: connection.tlsServerName,
    tls_skip_verify: connection.tlsSkipVerify,
    client_certificate: connection.clientCertificate,
    client_certificate_key_hmac: fingerprints.clientCertificateKey,
    token_hmac: fingerprints.token,
    token_status: statusAt(token, now),
    token_expiration_time: wireTime(token.expirationTime),
  };
}

/** Reads the attributes that a body sets, and adds their faults. */
export function readConnectionChange(body: JsonObject, faults: FieldFaults): ConnectionChange {
  const members = readAttributes(body, [...Object.values(connectionFields), 'worker_filter'], faults);
  if ((members.string('worker_filter') ?? '') !== '') {
    faults.add(
      'attributes.worker_filter',
      'This service calls secrets servers itself. It has no workers to choose from.',
    );
  }
  return {
    address: members.string('address'),
    namespace: members.string('namespace'),
    caCert: members.string('ca_cert'),
    tlsServerName: members.string('tls_server_name'),
    tlsSkipVerify: members.boolean('tls_skip_verify'),
    clientCertificate: members.string('client_certificate'),
    clientCertificateKey: members.string('client_certificate_key'),
    token: members.string('token'),
  };
}
