import type { TokenForm } from '@gatehouse/service-kit/account-tokens';
import { randomBase62 } from '@gatehouse/service-kit/ids';

/** The form of tokens in Vagrant Cloud; 62 characters are about 370 bits. */
export const tokenForm: TokenForm = {
  form: /^[0-9A-Za-z]{14}\.atlasv1\.[0-9A-Za-z]{48}$/,
  make: () => `${randomBase62(14)}.atlasv1.${randomBase62(48)}`,
};
