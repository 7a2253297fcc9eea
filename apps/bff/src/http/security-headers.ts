/**
 * Headers that keep a browser from doing more than the console needs. Source: OWASP Secure Headers Project and ASVS
 * 5.0, V3.4.
 */

/** Trusted-types policies that the page may create; see `require-trusted-types-for` in the page's policy. */
const trustedTypesPolicies = ['gatehouse', 'dompurify'];

const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  `trusted-types ${trustedTypesPolicies.join(' ')}`,
].join('; ');

/** For the checksum worker: only it compiles WebAssembly, and it has no network. */
const hasherPolicy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** An answer with data can run nothing and be framed by nobody. */
const dataPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";

const always = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const;

const permissions = 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()';

/** Two years, as preload lists require; sent over https only. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains' } as const;

/** The header sets of a console that is reached over https, or over http on loopback. */
export interface SecurityHeaders {
  /** For all answers of the API. */
  readonly data: Readonly<Record<string, string>>;
  /** For the page and its files. */
  readonly page: Readonly<Record<string, string>>;
  /** For the checksum worker's file. */
  readonly hasher: Readonly<Record<string, string>>;
}

/** @param https whether browsers reach the console over https */
export function securityHeaders(https: boolean): SecurityHeaders {
  const shared = { ...always, ...(https && strictTransport) };
  return {
    data: { ...shared, 'Content-Security-Policy': dataPolicy },
    page: { ...shared, 'Content-Security-Policy': pagePolicy, 'Permissions-Policy': permissions },
    hasher: { ...shared, 'Content-Security-Policy': hasherPolicy },
  };
}
