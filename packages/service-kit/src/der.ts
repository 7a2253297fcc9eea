/** An element in DER (ITU-T X.690). */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** Elements read of one sequence at most; those of keys have up to ten. */
const mostElements = 16;

/**
 * The elements in DER at the start of some bytes, such as those in the content of a sequence. Ends at the first that
 * isn't whole.
 */
export function derElements(bytes: Buffer = Buffer.alloc(0)): readonly DerElement[] {
  const found: DerElement[] = [];
  for (let rest = bytes; rest.length >= 2 && found.length < mostElements;) {
    const [tag = 0, length = 0] = rest;
    const digits = length < 0x80 ? 0 : length - 0x80;
    if (length === 0x80 || digits > 3 || rest.length < 2 + digits) break;
    const start = 2 + digits;
    const end = start + (digits === 0 ? length : rest.readUIntBE(2, digits));
    if (end > rest.length) break;
    found.push({ tag, content: rest.subarray(start, end) });
    rest = rest.subarray(end);
  }
  return found;
}

/** One block of PEM without headers or empty lines, which OpenSSL reads in the same way. */
const block =
  /^\s*-----BEGIN ([A-Z ]+)-----\r?\n((?:[A-Za-z0-9+/]+\r?\n)*[A-Za-z0-9+/]+={0,2}\r?\n)-----END \1-----\s*$/;

/** The most bytes of a private key for TLS, and of its RSA modulus: 4,096 bits. */
const mostKey = 2_500;
const mostModulus = 513;

/** Object identifiers, as hexadecimal digits. */
const rsa = '2a864886f70d010101';
const namedCurve = '2a8648ce3d0201';
const edwards = ['2b6570', '2b6571'];

/**
 * Whether a private key in PEM is unencrypted, and of a kind that OpenSSL reads and uses in milliseconds: RSA of up to
 * 4,096 bits, an elliptic curve by its name, or Ed25519 or Ed448. Others can take minutes to read, such as DSA, whose
 * public part OpenSSL computes with a prime of any length. For keys that come from users and other servers.
 */
export function isTlsKey(pem: string): boolean {
  const [, label, text = ''] = block.exec(pem) ?? [];
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length > mostKey) return false;
  const [outer] = derElements(bytes);
  if (label === 'RSA PRIVATE KEY') return isShortRsa(outer);
  const [, second, third] = derElements(outer?.content);
  if (label === 'EC PRIVATE KEY') return derElements(third?.content)[0]?.tag === 0x06;
  if (label !== 'PRIVATE KEY') return false;
  const [algorithm, parameters] = derElements(second?.content);
  const name = algorithm?.content.toString('hex') ?? '';
  if (name === rsa) return isShortRsa(derElements(third?.content)[0]);
  if (name === namedCurve) return parameters?.tag === 0x06;
  return edwards.includes(name);
}

function isShortRsa(key: DerElement | undefined): boolean {
  const [, modulus] = derElements(key?.content);
  return modulus !== undefined && modulus.content.length <= mostModulus;
}
