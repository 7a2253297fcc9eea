import type { Secret } from '@gatehouse/api-types/console/secrets';
import type { SecretPlace } from '#queries/secrets.ts';

/** What each view of a secret is given. */
export interface SecretTabProps {
  readonly place: SecretPlace;
  /** Of the version that the address names, without values. */
  readonly secret: Secret;
}
