import { ProviderFault } from '../provider.ts';
import type { AccessKey } from '../provider.ts';

/** The maximum length of a provider's message that is quoted, in characters. */
const longestMessage = 500;
/** The maximum length of a provider's error code, in characters. */
const longestCode = 100;

/**
 * Waits for a call.
 * @param doing the beginning of the error message: `Error creating IAM user`
 * @throws ProviderFault
 */
export async function call<Output>(doing: string, output: Promise<Output>): Promise<Output> {
  try {
    return await output;
  } catch (error) {
    throw faultOf(doing, error);
  }
}

/**
 * The access key of an answer.
 * @param doing the beginning of the error message
 * @throws ProviderFault if the answer has none, which a proxy's page with status 200 hasn't
 */
export function keyIn(
  doing: string,
  key: { AccessKeyId?: string; SecretAccessKey?: string } = {},
): AccessKey {
  const { AccessKeyId: accessKey = '', SecretAccessKey: secretKey = '' } = key;
  if (accessKey !== '' && secretKey !== '') return { accessKey, secretKey };
  const text = `${doing}: the provider's answer has no access key. Check the endpoints in config/root.`;
  throw new ProviderFault(text, { code: 'NoAccessKey', status: 200, attempts: 1 });
}

/** Like `call`, for deleting: undefined if the object does not exist. */
export async function callUnlessGone<Output>(
  doing: string,
  output: Promise<Output>,
): Promise<Output | undefined> {
  try {
    return await call(doing, output);
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

/** Whether the provider reports that an object does not exist. */
export function isGone(error: unknown): boolean {
  return error instanceof ProviderFault && error.code === 'NoSuchEntity';
}

interface SdkError extends Error {
  readonly code?: unknown;
  /** Only in an error that the provider reported. */
  readonly $fault?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number; readonly attempts?: number };
  readonly $response?: unknown;
}

function faultOf(doing: string, error: unknown): ProviderFault {
  if (error instanceof ProviderFault) return error;
  if (!(error instanceof Error))
    return new ProviderFault(doing, { code: '', status: undefined, attempts: 0 });
  const { name, code, $fault, $metadata = {} }: SdkError = error;
  // An element within the text makes it an object.
  const message: unknown = error.message;
  const status = $metadata.httpStatusCode;
  const attempts = $metadata.attempts ?? 0;
  if (status === undefined) {
    const why = typeof code === 'string' ? code : name;
    const text = `${doing}: the provider doesn't respond (${why})`;
    return new ProviderFault(text, { code: why, status, attempts });
  }
  if ($fault === undefined || typeof message !== 'string') {
    const text = `${doing}: the provider's answer can't be read (HTTP ${status})`;
    return new ProviderFault(text, { code: 'Unreadable', status, attempts });
  }
  const word = name.replace(/Exception$/, '').slice(0, longestCode);
  // The provider's message would repeat the request with its headers, including a session token.
  const said = word === 'SignatureDoesNotMatch' ? "the secret key is not the access key's" : message;
  const text = `${doing}: ${word}: ${said.split('\n')[0]?.slice(0, longestMessage) ?? ''}`;
  return new ProviderFault(text, { code: word, status, attempts });
}
