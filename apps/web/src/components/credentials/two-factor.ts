/** For sign-in forms whose service requires a second factor. */
import type { TwoFactor } from '@gatehouse/api-types/console/problem';
import { isApiError } from '#lib/api-error.ts';
import { call } from '#lib/api.ts';

/** The default if a service doesn't say how codes are delivered. */
const byAuthenticator: TwoFactor = {
  default_delivery_method: 'app',
  delivery_methods: ['app'],
  refused: false,
};

/** How codes can be delivered, if the error says that one is required; otherwise undefined. */
export function twoFactorOf(error: unknown): TwoFactor | undefined {
  if (!isApiError(error, 'two-factor-required')) return undefined;
  return error.problem?.twoFactor ?? byAuthenticator;
}

export const refusedCode = 'This code is wrong or was already used. Enter a new one.';

/**
 * Sends a code by SMS.
 * @returns its destination, partly masked
 * @throws ApiError
 */
export async function sendCode(environment: string, loginName: string, password: string): Promise<string> {
  const { boxTwoFactor } = await import('@gatehouse/api-types/console/addresses/boxes');
  const { destination } = await call(boxTwoFactor.requestCode, {
    body: { environment, login_name: loginName, password, delivery_method: 'sms' },
  });
  return destination;
}
