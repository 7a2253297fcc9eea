import { randomUUID } from 'node:crypto';
import { randomBase62 } from '@gatehouse/service-kit/ids';
import type { Answer, Request, Route } from '../core/backend.ts';
import { textField } from '../core/fields.ts';
import { badRequest } from '../core/refusal.ts';
import { rootPolicyName } from '../domain/policy/policy.ts';
import type { Identity } from '../identity/identity.ts';
import type { Barrier } from '../store/barrier.ts';

/** An attempt that waits for the root key. */
interface Attempt {
  readonly nonce: string;
  readonly otp: string;
}

/** `hvs.` and 24 characters; a one-time pad must be as long as the token. */
const tokenLength = 28;

/**
 * sys/generate-root: creates a root token for a caller with the root key, the only way to get one. The token is
 * encrypted with a one-time pad that only the caller who began the attempt knows.
 */
export function generateRootRoutes(identity: Identity, barrier: Barrier): Route[] {
  let attempt: Attempt | undefined;
  barrier.onLock(() => {
    attempt = undefined;
  });
  const open = { withoutToken: true, rootNamespaceOnly: true };
  const progress = (more: Readonly<Record<string, unknown>> = {}): Answer => ({
    bare: {
      nonce: attempt?.nonce ?? '',
      started: attempt !== undefined,
      progress: 0,
      required: 1,
      complete: false,
      encoded_token: '',
      encoded_root_token: '',
      pgp_fingerprint: '',
      otp: '',
      otp_length: tokenLength,
      ...more,
    },
  });

  const begin = ({ body }: Request): Answer => {
    if ((textField(body, 'pgp_key') ?? '') !== '') throw badRequest('pgp_key is not supported');
    if (attempt !== undefined) throw badRequest('root generation already in progress');
    const given = textField(body, 'otp') ?? '';
    if (given !== '' && !/^[\x21-\x7e]+$/.test(given)) throw badRequest('OTP must be printable ASCII');
    if (given !== '' && given.length !== tokenLength)
      throw badRequest(`OTP string is of length ${given.length}, expected ${tokenLength}`);
    attempt = { nonce: randomUUID(), otp: given === '' ? randomBase62(tokenLength) : given };
    return progress({ otp: given === '' ? attempt.otp : '' });
  };

  const finish = async ({ body, now }: Request): Promise<Answer> => {
    const key = textField(body, 'key') ?? '';
    if (key === '') throw badRequest("'key' must be specified in request body as JSON");
    const begun = attempt;
    if (begun === undefined) throw badRequest('no root generation in progress');
    if (textField(body, 'nonce') !== begun.nonce)
      throw badRequest(
        `incorrect nonce supplied; nonce for this root generation operation is ${begun.nonce}`,
      );
    if (!barrier.isRootKey(key)) throw badRequest('root generation failed: the key is not the root key');
    // Cleared before the first await, so that one attempt creates only one token.
    attempt = undefined;
    const { text } = await identity.tokens.issue(
      {
        parent: null,
        namespace: '',
        path: 'auth/token/root',
        policies: [rootPolicyName],
        meta: null,
        displayName: 'root',
        lifetime: { ttl: 0, explicitMaxTtl: 0, period: 0, renewable: false },
        numUses: 0,
        expireTime: null,
        person: null,
      },
      now,
    );
    const encoded = hidden(text, begun.otp);
    return progress({
      nonce: begun.nonce,
      started: true,
      progress: 1,
      complete: true,
      encoded_token: encoded,
      encoded_root_token: encoded,
    });
  };

  return [
    {
      ...open,
      path: 'generate-root/attempt',
      fields: ['otp', 'pgp_key'],
      operations: {
        read: () => progress(),
        update: begin,
        delete: () => {
          attempt = undefined;
          return undefined;
        },
      },
    },
    {
      ...open,
      path: 'generate-root/update',
      fields: ['key', 'nonce'],
      operations: { update: finish },
    },
  ];
}

/** Encrypts a token with a one-time pad, in base64 without padding. */
function hidden(token: string, otp: string): string {
  const pad = Buffer.from(otp, 'latin1');
  const bytes = Buffer.from(token, 'latin1').map((byte, index) => byte ^ (pad[index] ?? 0));
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
