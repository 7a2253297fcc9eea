import { createPrivateKey } from 'node:crypto';

/** Why a passphrase doesn't fit a private key. */
export type PassphraseFault = 'missing' | 'wrong';

/**
 * Whether a private key in PEM is encrypted and its passphrase is missing or wrong. A passphrase is tried only where
 * that is cheap: not with OpenSSH's slow key derivation, and not with many rounds of PBKDF2, whose number the key
 * sets.
 */
export function passphraseFault(pem: string, passphrase: string | undefined): PassphraseFault | undefined {
  const label = /-----BEGIN ([A-Z ]+)-----/.exec(pem)?.[1];
  if (label === 'OPENSSH PRIVATE KEY') {
    return passphrase === undefined && isEncryptedOpenSsh(bytesOf(pem)) ? 'missing' : undefined;
  }
  const isPkcs8 = label === 'ENCRYPTED PRIVATE KEY';
  if (!isPkcs8 && !/^Proc-Type: *4, *ENCRYPTED/m.test(pem)) return undefined;
  if (passphrase === undefined) return 'missing';
  return (!isPkcs8 || isCheapPkcs8(bytesOf(pem))) && isRefused(pem, passphrase) ? 'wrong' : undefined;
}

function bytesOf(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----/g, ''), 'base64');
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

/** A length in DER, as hexadecimal digits. */
const length = '(?:[0-7].|81..|82....)';
/** A key in PKCS#8 (RFC 5958), up to the salt, as hexadecimal digits: encrypted with PBES2 and PBKDF2 (RFC 8018). */
const upToSalt = new RegExp(
  `^30${length}30${length}06092a864886f70d01050d30${length}30${length}06092a864886f70d01050c30${length}04([0-7].)`,
);

/** Whether few rounds of PBKDF2 derive the key. Their number follows the salt. */
function isCheapPkcs8(bytes: Buffer): boolean {
  const digits = bytes.toString('hex', 0, 300);
  const [head, saltLength] = upToSalt.exec(digits) ?? [];
  if (head === undefined || saltLength === undefined) return false;
  const rest = digits.slice(head.length + Number.parseInt(saltLength, 16) * 2);
  const rounds = /^02(?:01(..)|02(....)|03(......))/.exec(rest)?.slice(1).find(Boolean);
  return rounds !== undefined && Number.parseInt(rounds, 16) <= mostRounds;
}

/** OpenSSL's error for decrypted bytes that aren't PKCS#8 (reason 0x65 of its library 0x23). */
const notPkcs8 = 'error:11800065:';

/**
 * Whether the passphrase doesn't decrypt the key. Other defects of a key don't count. For 1 of 256 wrong passphrases
 * the padding is valid; only PKCS#8 shows that they are wrong.
 */
function isRefused(key: string, passphrase: string): boolean {
  try {
    createPrivateKey({ key, passphrase });
    return false;
  } catch (error) {
    if (!(error instanceof Error)) return false;
    const stack = 'opensslErrorStack' in error ? error.opensslErrorStack : [];
    return (
      ('code' in error && error.code === 'ERR_OSSL_BAD_DECRYPT') ||
      (Array.isArray(stack) && stack.some((line) => String(line).startsWith(notPkcs8)))
    );
  }
}
