/** Who people are to the console: what they did and arranged is kept by their account, never by a name that can be given out again. */
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import type { GrantedToken } from '#upstreams/granted-token.ts';

/** Where somebody signs in. */
export interface SignInPlace {
  readonly environment: string;
  readonly service: ServiceName;
}

/**
 * The id of the person whose account a service granted a token for: `<environment>/<service>/<account>`. Some registries
 * send an empty id of every account: then the name stands for it.
 */
export function personIdOf(
  { environment, service }: SignInPlace,
  { accountId, ownerId }: GrantedToken,
): string {
  return `${environment}/${service}/${ownerId || accountId}`;
}

/** The account of a person's id, whichever service they signed in at. */
export function accountOf(personId: string): string {
  return personId.split('/').slice(2).join('/');
}

/** Every id that an account of this installation may have in some environments. */
export function idsOfAccount(environments: readonly string[], accountId: string): readonly string[] {
  return environments.flatMap((environment) =>
    serviceNames.map((service) => `${environment}/${service}/${accountId}`),
  );
}
