import type { Secret } from '@gatehouse/api-types/console/secrets';
import type { SecretPlace } from '#queries/secrets.ts';

export interface SecretTabProps {
  readonly place: SecretPlace;
  /** The version in the address, without values. */
  readonly secret: Secret;
}
