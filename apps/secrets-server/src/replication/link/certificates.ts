import { X509Certificate, randomBytes } from 'node:crypto';
import { systemClock } from '@gatehouse/service-kit/clock';
import type * as X509 from '@peculiar/x509';
import type { Extension, JsonName, X509CertificateCreateWithKeyParams } from '@peculiar/x509';
import type { KeyPair, PrimaryIdentity, SecondaryCredentials } from './types.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
/** Days before now at which certificates become valid, for clocks that are behind. */
const backDays = 1;
/** Certificates last as long as a cluster, because secondaries are revoked by their ID instead. */
const validDays = 365 * 30;

/** The name in a primary's certificate, which secondaries verify independently of its address. */
export function serverName(clusterId: string): string {
  return `${clusterId}.replication.gatehouse`;
}

/** Creates a primary's certificate authority. */
export async function createIdentity(clusterId: string): Promise<PrimaryIdentity> {
  const { BasicConstraintsExtension, KeyUsagesExtension, KeyUsageFlags } = await library();
  const keys = await createKeys();
  const cert = await createCertificate({
    subject: [{ CN: [`${clusterId} replication`] }],
    issuer: [{ CN: [`${clusterId} replication`] }],
    publicKey: keys.publicKey,
    signingKey: keys.privateKey,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
    ],
  });
  return { clusterId, authority: { cert, key: await privatePem(keys.privateKey) } };
}

/** Issues a secondary's credentials, including a client certificate for its ID. */
export async function issueCredentials(
  identity: PrimaryIdentity,
  secondary: Pick<SecondaryCredentials, 'id' | 'addresses' | 'digestKey'>,
): Promise<SecondaryCredentials> {
  const { ExtendedKeyUsage } = await library();
  const { id, addresses, digestKey } = secondary;
  // Encoded so that any ID can be read from the certificate unchanged.
  const name = encodeURIComponent(id);
  return {
    id,
    addresses,
    digestKey,
    primaryClusterId: identity.clusterId,
    authority: identity.authority.cert,
    client: await issue(identity, name, ExtendedKeyUsage.clientAuth, []),
  };
}

/** Issues a primary's server certificate. */
export async function issueServerCertificate(identity: PrimaryIdentity): Promise<KeyPair> {
  const { ExtendedKeyUsage, SubjectAlternativeNameExtension } = await library();
  const name = serverName(identity.clusterId);
  return issue(identity, name, ExtendedKeyUsage.serverAuth, [
    new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
  ]);
}

/** The ID in a secondary's certificate; undefined if it is malformed. @param commonName of a verified certificate */
export function secondaryIdOf(commonName: unknown): string | undefined {
  if (typeof commonName !== 'string') return undefined;
  try {
    return decodeURIComponent(commonName);
  } catch {
    return undefined;
  }
}

async function issue(
  { authority }: PrimaryIdentity,
  commonName: string,
  usage: string,
  extensions: readonly Extension[],
): Promise<KeyPair> {
  const { BasicConstraintsExtension, ExtendedKeyUsageExtension, KeyUsagesExtension, KeyUsageFlags, Name } =
    await library();
  const keys = await createKeys();
  const cert = await createCertificate({
    subject: [{ CN: [commonName] }],
    issuer: new Name(new X509Certificate(authority.cert).subject).toJSON(),
    publicKey: keys.publicKey,
    signingKey: await importPrivate(authority.key),
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([usage]),
      ...extensions,
    ],
  });
  return { cert, key: await privatePem(keys.privateKey) };
}

interface CertificateRequest {
  readonly subject: JsonName;
  readonly issuer: JsonName;
  readonly publicKey: CryptoKey;
  readonly signingKey: CryptoKey;
  readonly extensions: Extension[];
}

async function createCertificate(request: CertificateRequest): Promise<string> {
  const { X509CertificateGenerator } = await library();
  const now = systemClock.now();
  const params: X509CertificateCreateWithKeyParams = {
    ...request,
    serialNumber: randomBytes(16).toString('hex'),
    notBefore: new Date(now - backDays * dayMs),
    notAfter: new Date(now + validDays * dayMs),
    signingAlgorithm: algorithm,
  };
  return (await X509CertificateGenerator.create(params)).toString('pem');
}

/** Loaded on demand, because loading takes longer than the start of a server without replication. */
async function library(): Promise<typeof X509> {
  await import('reflect-metadata');
  return import('@peculiar/x509');
}

function createKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

async function privatePem(key: CryptoKey): Promise<string> {
  const { PemConverter } = await library();
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), PemConverter.PrivateKeyTag);
}

async function importPrivate(pem: string): Promise<CryptoKey> {
  const { PemConverter } = await library();
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, false, ['sign']);
}
