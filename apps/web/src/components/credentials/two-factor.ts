/** What a form that signs in does when the service asks for a second factor. */
import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import { isApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';

/** A service that does not say how its codes are had: by an authenticator. */
const byAuthenticator: TwoFactor = {
  default_delivery_method: 'app',
  delivery_methods: ['app'],
  refused: false,
};

/** How a code can be had, when this is what is missing; undefined for any other failure. */
export function twoFactorOf(error: unknown): TwoFactor | undefined {
  if (!isApiError(error, 'two-factor-required')) return undefined;
  return error.problem?.twoFactor ?? byAuthenticator;
}

/** What is said of a code that was refused. */
export const refusedCode = 'This code is wrong or was already used. Enter the next one.';

/**
 * Has a code sent by SMS.
 * @returns where to, made unreadable in part
 * @throws ApiError
 */
export async function sendCode(environment: string, loginName: string, password: string): Promise<string> {
  const { boxTwoFactor } = await import('@gatehouse/api-types/console/addresses/boxes');
  const { destination } = await call(boxTwoFactor.requestCode, {
    body: { environment, login_name: loginName, password, delivery_method: 'sms' },
  });
  return destination;
}
