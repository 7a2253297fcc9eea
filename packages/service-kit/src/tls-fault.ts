import { errorCode } from './error-code.ts';

/** Node's and OpenSSL's codes of a connection that TLS refused, with why, as the rest of a sentence. */
const faults: readonly (readonly [codes: RegExp, why: string])[] = [
  [/EXPIRED|NOT_YET_VALID/, "its certificate has expired or isn't valid yet"],
  [/ALTNAME|HOSTNAME_MISMATCH/, 'its certificate is for another host name'],
  [/^CERT_|^ERR_TLS_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|^INVALID_/, "its certificate isn't trusted"],
  [/^ERR_SSL_.*(?:VERSION|PROTOCOL)/, "it doesn't speak TLS 1.2 or later at this address"],
];

/**
 * Why TLS refused a connection before anything was sent, as the rest of a sentence: `its certificate isn't trusted`.
 * @returns undefined for other errors
 */
export function tlsFault(error: unknown): string | undefined {
  const code = errorCode(error) ?? '';
  return faults.find(([codes]) => codes.test(code))?.[1];
}
