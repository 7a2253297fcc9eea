import { isDeepStrictEqual } from 'node:util';
import { isTlsKey } from '@gatehouse/service-kit/der';
import { trimEndSlashes, trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { FieldFaults } from '../refusal.ts';
import { secretFault } from '../text.ts';

/** How to reach a secrets server. Unset text is empty. */
export interface Connection {
  /** `http(s)://host[:port][/prefix]`, without a slash at the end. */
  readonly address: string;
  readonly namespace: string;
  /** PEM; empty for the machine's own certificate authorities. */
  readonly caCert: string;
  /** The name in the server's certificate, if it isn't the host of the address. */
  readonly tlsServerName: string;
  readonly tlsSkipVerify: boolean;
  /** PEM, for servers that require a client certificate. */
  readonly clientCertificate: string;
}

/** The secret part of a connection. */
export interface ConnectionSecrets {
  readonly token: string;
  /** PEM; empty without a client certificate. */
  readonly clientCertificateKey: string;
}

/** Fields to set. A missing field keeps its value; null clears it. */
export interface ConnectionChange {
  readonly address?: string | null;
  readonly namespace?: string | null;
  readonly caCert?: string | null;
  readonly tlsServerName?: string | null;
  readonly tlsSkipVerify?: boolean | null;
  readonly clientCertificate?: string | null;
  readonly clientCertificateKey?: string | null;
  readonly token?: string | null;
}

export const blankConnection: Connection = {
  address: '',
  namespace: '',
  caCert: '',
  tlsServerName: '',
  tlsSkipVerify: false,
  clientCertificate: '',
};

export const blankSecrets: ConnectionSecrets = { token: '', clientCertificateKey: '' };

/** The request field of each part of a connection. */
export const connectionFields: Readonly<Record<keyof ConnectionChange, string>> = {
  address: 'address',
  namespace: 'namespace',
  caCert: 'ca_cert',
  tlsServerName: 'tls_server_name',
  tlsSkipVerify: 'tls_skip_verify',
  clientCertificate: 'client_certificate',
  clientCertificateKey: 'client_certificate_key',
  token: 'token',
};

/** Most characters of an address and of a namespace, and of a token. */
const maxLength = 1024;
const maxToken = 4096;

/** Adds the faults of a change that don't depend on the present store. */
export function checkConnectionChange(change: ConnectionChange, faults: FieldFaults): void {
  for (const name of ['address', 'token'] as const) {
    if (change[name] !== undefined && (change[name] ?? '').trim() === '')
      fault(faults, name, 'This field cannot be set to empty.');
  }
  for (const name of ['address', 'namespace'] as const) {
    if ((change[name] ?? '').trim().length > maxLength)
      fault(faults, name, `Must be at most ${maxLength} characters.`);
  }
  if ((change.address ?? '').trim() !== '') {
    const problem = addressFault(change.address ?? '');
    if (problem !== undefined) fault(faults, 'address', problem);
  }
  const token = (change.token ?? '').trim();
  if (token.length > maxToken) fault(faults, 'token', `Must be at most ${maxToken} characters.`);
  else if (!visible.test(token)) fault(faults, 'token', 'A token can have only visible characters.');
  if (!visible.test((change.namespace ?? '').trim()))
    fault(faults, 'namespace', 'A namespace can have only visible characters.');
  if (!/^[A-Za-z0-9.*_-]{0,253}$/.test((change.tlsServerName ?? '').trim()))
    fault(faults, 'tlsServerName', 'This must be a host name.');
  checkPem(change, faults);
}

function checkPem(change: ConnectionChange, faults: FieldFaults): void {
  for (const name of ['caCert', 'clientCertificate', 'clientCertificateKey'] as const) {
    const tooLong = secretFault((change[name] ?? '').trim());
    if (tooLong !== undefined) fault(faults, name, tooLong);
  }
  for (const name of ['caCert', 'clientCertificate'] as const) {
    const text = (change[name] ?? '').trim();
    if (text === '') continue;
    if (privateKey.test(text))
      fault(faults, name, 'This contains a private key, which would be shown to everyone.');
    else if (!certificates.test(text)) fault(faults, name, 'This must be one or more PEM certificates.');
  }
  const key = (change.clientCertificateKey ?? '').trim();
  if (key !== '' && !privateKey.test(key))
    fault(faults, 'clientCertificateKey', 'This must be a PEM private key.');
  else if (key !== '' && !isTlsKey(key))
    fault(
      faults,
      'clientCertificateKey',
      'This must be one unencrypted private key: RSA of up to 4,096 bits, an elliptic curve by its name, Ed25519 or Ed448.',
    );
}

/** Adds a fault for each required field that a store lacks after a change. */
export function checkConnection(
  connection: Connection,
  secrets: ConnectionSecrets,
  faults: FieldFaults,
): void {
  if (connection.address === '') fault(faults, 'address', 'This is a required field.');
  if (secrets.token === '') fault(faults, 'token', 'This is a required field.');
  if (connection.clientCertificate !== '' && secrets.clientCertificateKey === '')
    fault(faults, 'clientCertificateKey', 'A client certificate requires its key.');
  if (connection.clientCertificate === '' && secrets.clientCertificateKey !== '')
    fault(faults, 'clientCertificate', 'A key requires its client certificate.');
  if (!connection.address.startsWith('http:')) return;
  for (const name of ['caCert', 'tlsServerName', 'clientCertificate'] as const) {
    if (connection[name] !== '') fault(faults, name, 'This can only be used with an https address.');
  }
  if (connection.tlsSkipVerify)
    fault(faults, 'tlsSkipVerify', 'This can only be used with an https address.');
}

/**
 * Adds a fault for each stored secret that a change would send to another destination. A stored secret never follows
 * a changed connection: the user must enter it again.
 * @param change already checked
 * @param before the stored connection
 * @param after the connection after `change`
 */
export function checkGivenAgain(
  change: ConnectionChange,
  before: Connection,
  after: { readonly connection: Connection; readonly secrets: ConnectionSecrets },
  faults: FieldFaults,
): void {
  if (isDeepStrictEqual(before, after.connection)) return;
  const again = (what: string): string =>
    `Enter the ${what} again: the stored ${what} isn't reused when the address, the namespace or a TLS setting changes.`;
  if (change.token === undefined) fault(faults, 'token', again('token'));
  if (change.clientCertificateKey === undefined && after.secrets.clientCertificateKey !== '')
    fault(faults, 'clientCertificateKey', again('key'));
}

/** A connection after a change. @param change already checked */
export function changedConnection(before: Connection, change: ConnectionChange): Connection {
  const text = (value: string | null | undefined, former: string): string =>
    value === undefined ? former : (value ?? '').trim();
  return {
    address: change.address === undefined ? before.address : normalAddress(change.address ?? ''),
    namespace: trimSlashes(text(change.namespace, before.namespace)),
    caCert: text(change.caCert, before.caCert),
    tlsServerName: text(change.tlsServerName, before.tlsServerName),
    tlsSkipVerify:
      change.tlsSkipVerify === undefined ? before.tlsSkipVerify : (change.tlsSkipVerify ?? false),
    clientCertificate: text(change.clientCertificate, before.clientCertificate),
  };
}

/** Secrets after a change. Clearing a client certificate also clears its key. @param change already checked */
export function changedSecrets(before: ConnectionSecrets, change: ConnectionChange): ConnectionSecrets {
  const cleared = change.clientCertificate !== undefined && (change.clientCertificate ?? '').trim() === '';
  const key =
    change.clientCertificateKey ?? (change.clientCertificateKey === null || cleared ? '' : undefined);
  return {
    token: change.token?.trim() ?? before.token,
    clientCertificateKey: key?.trim() ?? before.clientCertificateKey,
  };
}

const visible = /^[\x21-\x7e]*$/;
const privateKey = /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/;
const certificates =
  /^(?:-----BEGIN CERTIFICATE-----\s+(?:[A-Za-z0-9+/=]+\s+)+-----END CERTIFICATE-----\s*)+$/;

function addressFault(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'This must be an address such as https://secrets.example.com:8200.';
  if (url.username !== '' || url.password !== '') return "An address can't contain a user name or password.";
  if (url.search !== '' || url.hash !== '') return "An address can't have a query or fragment.";
  return undefined;
}

function normalAddress(text: string): string {
  const url = URL.parse(text.trim());
  return url === null ? '' : `${url.origin}${trimEndSlashes(url.pathname)}`;
}

function fault(faults: FieldFaults, field: keyof ConnectionChange, problem: string): void {
  faults.add(`attributes.${connectionFields[field]}`, problem);
}
