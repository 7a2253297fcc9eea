import { randomBytes } from 'node:crypto';

/** An element in DER, of up to 65,535 bytes. */
export function derOf(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const length = Buffer.from([0x82, content.length >> 8, content.length & 0xff]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const integer = (bytes: number): Buffer =>
  derOf(0x02, Buffer.from([0, 0xf1]), randomBytes(bytes - 3), Buffer.from([1]));
const version = derOf(0x02, Buffer.from([0]));
const named = (oid: string): Buffer => derOf(0x06, Buffer.from(oid, 'hex'));

/** A DSA key in PKCS#8 that isn't one of any use: random numbers of this many bytes. OpenSSL takes long to read it. */
export function dsaOf(bytes: number): Buffer {
  const parameters = derOf(0x30, integer(bytes), integer(32), integer(bytes));
  return derOf(0x30, version, derOf(0x30, named('2a8648ce380401'), parameters), derOf(0x04, integer(bytes)));
}

/** An RSA key in PKCS#1 with random numbers, whose modulus has this many bytes. */
export function rsaOf(bytes: number): Buffer {
  return derOf(0x30, version, integer(bytes), integer(4), integer(bytes));
}

/** An RSA key in PKCS#8. */
export function rsaPkcs8Of(bytes: number): Buffer {
  return derOf(0x30, version, derOf(0x30, named('2a864886f70d010101')), derOf(0x04, rsaOf(bytes)));
}

/** A block of PEM. */
export function pemOf(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
