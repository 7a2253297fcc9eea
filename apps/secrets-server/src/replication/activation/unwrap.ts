import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { trimEndSlashes } from '@gatehouse/service-kit/trim-slashes';
import { Refusal } from '../../core/refusal.ts';
import { shareOf } from '../link/patience.ts';
import type { Patience } from '../link/patience.ts';
import type { SecondaryCredentials } from '../link/types.ts';
import { credentialsOf } from './activation-wire.ts';
import type { Trusted } from './trusted.ts';

/** The maximum length of an answer in characters. */
const longestAnswer = 1_000_000;

/** The maximum number of characters quoted from a primary's refusal. */
const longestReason = 500;

/**
 * Unwraps an activation at its primary, which works once.
 * @param address the primary's API address; http only if the address says so
 * @throws Refusal 400 with the address, the reason, and the authorities used to check the certificate
 */
export async function unwrapActivation(
  address: string,
  wrappingToken: string,
  trusted: Trusted,
  patience: Patience,
): Promise<SecondaryCredentials> {
  const url = URL.parse(`${trimEndSlashes(address)}/v1/sys/wrapping/unwrap`);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new Refusal(400, [
      address === ''
        ? 'the activation token has no API address of its primary. Set primary_api_addr.'
        : `"${address}" is not an http or https address of a primary`,
    ]);
  }
  const { status, text } = await post(url, wrappingToken, trusted, shareOf(patience)).catch(
    (error: unknown) => {
      const why = error instanceof Error ? reasonOf(error) : String(error);
      const checked = url.protocol === 'https:' ? ` (its certificate is checked with ${trusted.from})` : '';
      throw new Refusal(400, [`the primary at ${address} can't be reached: ${why}${checked}`]);
    },
  );
  if (status !== 200) {
    const said = errorsOf(text);
    throw new Refusal(400, [
      `the primary at ${address} refused the activation token (${status})${said === '' ? '' : `: ${said}`}. ` +
        'A token works once, and expires.',
    ]);
  }
  const credentials = credentialsOf(objectOf(text)['data']);
  if (credentials === undefined)
    throw new Refusal(400, [
      `the response from ${address} isn't a secondary's activation. Check the primary's API address, or set primary_api_addr.`,
    ]);
  return credentials;
}

function post(
  url: URL,
  token: string,
  { authorities }: Trusted,
  deadlineMs: number,
): Promise<{ readonly status: number; readonly text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const options = {
    method: 'POST',
    headers: { 'X-Vault-Token': token, 'Content-Length': 0 },
    signal: AbortSignal.timeout(deadlineMs),
    agent: false as const,
  };
  const sent =
    url.protocol === 'https:'
      ? httpsRequest(url, { ...options, ca: [...authorities] })
      : httpRequest(url, options);
  sent.once('error', reject);
  sent.once('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      text += chunk;
      if (text.length > longestAnswer) response.destroy(new Error('its answer is too long'));
    });
    response.once('error', reject);
    response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
  });
  sent.end();
  return promise;
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return "it didn't answer in time";
  const [first] = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  const { message } = first instanceof Error ? first : error;
  // Drops Node's advice after the semicolon, which does not concern the user.
  return message.split(';')[0] ?? message;
}

function errorsOf(text: string): string {
  const { errors } = objectOf(text);
  return Array.isArray(errors) ? errors.map(String).join('; ').slice(0, longestReason) : '';
}

function objectOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
