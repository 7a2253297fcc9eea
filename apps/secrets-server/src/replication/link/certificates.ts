import { X509Certificate, randomBytes } from 'node:crypto';
import { systemClock } from '@gatehouse/service-kit/clock';
import type * as X509 from '@peculiar/x509';
import type { Extension, JsonName, X509CertificateCreateWithKeyParams } from '@peculiar/x509';
import type { KeyPair, PrimaryIdentity, SecondaryCredentials } from './types.ts';

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;
/** A clock that is behind by less than this sees a new certificate as valid. */
const backDays = 1;
/** Whoever is not to connect any more is revoked by its id: certificates last as long as a cluster does. */
const validDays = 365 * 30;

/** The name in the certificate of a primary, which its secondaries verify whatever its address is. */
export function serverName(clusterId: string): string {
  return `${clusterId}.replication.gatehouse`;
}

/** Makes a CA for a primary. */
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

/** Issues what a secondary connects with: a client certificate that carries its id, and what it needs beside. */
export async function issueCredentials(
  identity: PrimaryIdentity,
  secondary: Pick<SecondaryCredentials, 'id' | 'addresses' | 'digestKey'>,
): Promise<SecondaryCredentials> {
  const { ExtendedKeyUsage } = await library();
  const { id, addresses, digestKey } = secondary;
  // Encoded, so that it is read back as it was whatever it consists of.
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

/** Issues the certificate that a primary answers with. */
export async function issueServerCertificate(identity: PrimaryIdentity): Promise<KeyPair> {
  const { ExtendedKeyUsage, SubjectAlternativeNameExtension } = await library();
  const name = serverName(identity.clusterId);
  return issue(identity, name, ExtendedKeyUsage.serverAuth, [
    new SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
  ]);
}

/** The id that a secondary's certificate carries. @param commonName of a certificate that was verified */
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

/** Takes longer to load than a server without replication takes to start. */
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
