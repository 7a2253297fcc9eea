import type { TokenForm } from '@gatehouse/service-kit/account-tokens';
import { randomBase62 } from '@gatehouse/service-kit/ids';

/** 48 characters are about 285 bits. */
export const tokenForm: TokenForm = {
  form: /^gm_[0-9A-Za-z]{48}$/,
  make: () => `gm_${randomBase62(48)}`,
};
