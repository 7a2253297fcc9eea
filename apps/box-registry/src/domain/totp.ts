import { Secret, TOTP } from 'otpauth';

/**
 * The codes of a person's app: with SHA-1, six digits and steps of 30 s, as all apps make them (RFC 6238).
 * @param secret the shared key: raw, or as base32
 */
export function totpOf(secret: Uint8Array | string, loginName: string = ''): TOTP {
  return new TOTP({
    issuer: 'Gatehouse boxes',
    label: loginName,
    secret: typeof secret === 'string' ? secret : new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}

/**
 * The step whose code this is, at most one early or late; undefined when it is none of them, or was used already.
 * @param now milliseconds since the epoch
 * @param lastStep the last step whose code was used
 */
export function matchingStep(totp: TOTP, code: string, now: number, lastStep: number): number | undefined {
  // The library throws at digits that are not ASCII.
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  const step = totp.counter({ timestamp: now }) + (delta ?? Number.NaN);
  return step > lastStep ? step : undefined;
}
