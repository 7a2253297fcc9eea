import { createDecipheriv, getCipherInfo, hash, pbkdf2Sync } from 'node:crypto';
import { derElements } from '@gatehouse/service-kit/der';

/** Why a passphrase doesn't fit a private key. */
export type PassphraseFault = 'missing' | 'wrong';

/** An encrypted key. */
interface Encrypted {
  readonly cipher: string;
  readonly iv: Buffer;
  readonly data: Buffer;
  /** @param length in bytes */
  readonly keyOf: (passphrase: string, length: number) => Buffer;
}

/**
 * Whether a private key in PEM is encrypted and its passphrase is missing or wrong. A passphrase is tried only where
 * that is cheap: not with OpenSSH's slow key derivation, and not with many rounds of PBKDF2, whose number the key
 * sets. The decrypted key isn't read: OpenSSL takes minutes for some keys.
 */
export function passphraseFault(pem: string, passphrase: string | undefined): PassphraseFault | undefined {
  const [, label, body = ''] = /-----BEGIN ([A-Z ]+)-----([^]*?)-----END/.exec(pem) ?? [];
  // Headers, such as those of the older format, end with an empty line.
  const bytes = Buffer.from(body.replace(/^\s*[A-Za-z-]+:[^]*?\n\r?\n/, ''), 'base64');
  if (label === 'OPENSSH PRIVATE KEY') {
    return passphrase === undefined && isEncryptedOpenSsh(bytes) ? 'missing' : undefined;
  }
  const isPkcs8 = label === 'ENCRYPTED PRIVATE KEY';
  if (!isPkcs8 && !/^Proc-Type: *4, *ENCRYPTED/m.test(pem)) return undefined;
  if (passphrase === undefined) return 'missing';
  const encrypted = isPkcs8 ? encryptedPkcs8(bytes) : encryptedPem(pem, bytes);
  return encrypted !== undefined && !isDecrypted(encrypted, passphrase) ? 'wrong' : undefined;
}

/** Reads OpenSSH's format: a magic, then the cipher's name with its length in four bytes. */
function isEncryptedOpenSsh(bytes: Buffer): boolean {
  const magic = 'openssh-key-v1\0';
  if (bytes.toString('latin1', 0, magic.length) !== magic || bytes.length < magic.length + 4) return false;
  const from = magic.length + 4;
  const length = bytes.readUInt32BE(magic.length);
  return bytes.toString('latin1', from, from + length) !== 'none';
}

/** The most rounds of PBKDF2 that a check runs. Tools write a few thousand. */
const mostRounds = 100_000;

/** Ciphers and key derivations, by object identifiers as hexadecimal digits (RFC 8018, RFC 3565). */
const ciphers = new Map([
  ['60864801650304012a', 'aes-256-cbc'],
  ['608648016503040116', 'aes-192-cbc'],
  ['608648016503040102', 'aes-128-cbc'],
  ['2a864886f70d0307', 'des-ede3-cbc'],
]);
const hashes = new Map([
  ['2a864886f70d0207', 'sha1'],
  ['2a864886f70d0209', 'sha256'],
  ['2a864886f70d020a', 'sha384'],
  ['2a864886f70d020b', 'sha512'],
]);
const pbes2 = '2a864886f70d01050d';
const pbkdf2 = '2a864886f70d01050c';

/** Reads a key in PKCS#8 (RFC 5958), encrypted with PBES2 and PBKDF2 (RFC 8018); undefined if it isn't cheap. */
function encryptedPkcs8(bytes: Buffer): Encrypted | undefined {
  const [algorithm, data] = derElements(derElements(bytes)[0]?.content);
  const [name, parameters] = derElements(algorithm?.content);
  const [derivation, encryption] = derElements(parameters?.content);
  const [derivationName, derivationParameters] = derElements(derivation?.content);
  const [salt, count, ...optional] = derElements(derivationParameters?.content);
  const [cipherName, iv] = derElements(encryption?.content);
  if (name?.content.toString('hex') !== pbes2 || derivationName?.content.toString('hex') !== pbkdf2)
    return undefined;
  const prf = optional.find(({ tag }) => tag === 0x30);
  const digest =
    prf === undefined ? 'sha1' : hashes.get(derElements(prf.content)[0]?.content.toString('hex') ?? '');
  const cipher = ciphers.get(cipherName?.content.toString('hex') ?? '');
  const rounds = Number.parseInt(count?.content.toString('hex') ?? '', 16);
  if (digest === undefined || cipher === undefined || !(rounds >= 1 && rounds <= mostRounds))
    return undefined;
  if (salt === undefined || iv === undefined || data === undefined) return undefined;
  return {
    cipher,
    iv: iv.content,
    data: data.content,
    keyOf: (passphrase, length) => pbkdf2Sync(passphrase, salt.content, rounds, length, digest),
  };
}

/** Reads a key in OpenSSL's older format, whose headers name the cipher (PEM_write_PrivateKey_traditional(3)). */
function encryptedPem(pem: string, data: Buffer): Encrypted | undefined {
  const [, name = '', digits = ''] = /^DEK-Info: *([A-Z0-9-]+), *([0-9A-F]+)\s*$/im.exec(pem) ?? [];
  const cipher = name.toLowerCase();
  if (!ciphers.values().some((known) => known === cipher)) return undefined;
  const iv = Buffer.from(digits, 'hex');
  return {
    cipher,
    iv,
    data,
    keyOf: (passphrase, length) => {
      let key = Buffer.alloc(0);
      let last = Buffer.alloc(0);
      while (key.length < length) {
        last = hash('md5', Buffer.concat([last, Buffer.from(passphrase), iv.subarray(0, 8)]), 'buffer');
        key = Buffer.concat([key, last]);
      }
      return key.subarray(0, length);
    },
  };
}

/** Whether a passphrase decrypts a key to one element in DER. The padding alone is valid for 1 of 256 wrong ones. */
function isDecrypted({ cipher, iv, data, keyOf }: Encrypted, passphrase: string): boolean {
  const { keyLength = 0, ivLength = 0 } = getCipherInfo(cipher) ?? {};
  // A defect of the key is no fault of the passphrase.
  if (iv.length !== ivLength || data.length % ivLength !== 0) return true;
  try {
    const decipher = createDecipheriv(cipher, keyOf(passphrase, keyLength), iv);
    const key = Buffer.concat([decipher.update(data), decipher.final()]);
    return derElements(key)[0]?.tag === 0x30;
  } catch {
    return false;
  }
}
