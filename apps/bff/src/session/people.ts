/**
 * How the console identifies users. What they did and set up is stored by account, never by a name, which can be
 * reused.
 */
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import type { EnvironmentConfig } from '#config/config.ts';
import type { GrantedToken } from '#upstreams/granted-token.ts';

/** Where a user signs in. */
export interface SignInPlace {
  readonly environment: string;
  readonly service: ServiceName;
}

/**
 * The user's ID for the account of a service's token: `<environment>/<service>/<account>`. Some registries send an
 * empty ID for every account. The name takes its place then.
 */
export function personIdOf(
  { environment, service }: SignInPlace,
  { accountId, ownerId }: GrantedToken,
): string {
  return `${environment}/${service}/${ownerId || accountId}`;
}

/** A login name without what services ignore in it: equal for all spellings of one account's name. */
export function loginNameKey(name: string): string {
  return name.trim().normalize('NFKC').toLowerCase();
}

/**
 * Where accounts are the same: equal for two services exactly if a login name and its password are one account at both.
 * Embedded services have the accounts of the installation in every environment, and an environment's services may share
 * theirs.
 */
export function accountStore(
  environments: readonly EnvironmentConfig[],
  { environment, service }: { readonly environment: string; readonly service: string },
): string {
  const { sharedAccounts, services } = environments.find(({ id }) => id === environment) ?? {};
  const sharing =
    sharedAccounts === true ? Object.values(services ?? {}) : [services?.[service as ServiceName]];
  if (sharing.some((one) => one?.endpoint.kind === 'socket')) return '';
  return sharedAccounts === true ? environment : `${environment}/${service}`;
}

/**
 * The services where an ID is the same account's: all embedded ones for an account of one of them, as they have the
 * accounts of the installation; otherwise the environment's others. Elsewhere, IDs may be equal by chance.
 */
export function placesOfAccount(
  environments: readonly EnvironmentConfig[],
  place: SignInPlace,
): readonly SignInPlace[] {
  const isEmbedded = ({ environment, service }: SignInPlace): boolean =>
    environments.find(({ id }) => id === environment)?.services[service]?.endpoint.kind === 'socket';
  const near = isEmbedded(place) ? environments.map(({ id }) => id) : [place.environment];
  return near
    .flatMap((environment) => serviceNames.map((service) => ({ environment, service })))
    .filter((one) => isEmbedded(one) === isEmbedded(place));
}

/** The account in a user's ID, whichever service they signed in at. */
export function accountOf(personId: string): string {
  return personId.split('/').slice(2).join('/');
}

/**
 * The account that a user's turns and limits count for: the same at all services that share accounts, so that nobody has
 * several by signing in at several services.
 */
export function countedAccount(environments: readonly EnvironmentConfig[], personId: string): string {
  const [environment = '', service = ''] = personId.split('/');
  return JSON.stringify([accountStore(environments, { environment, service }), accountOf(personId)]);
}

/** The user IDs of an account that has this ID at some services. */
export function idsOfAccount(places: readonly SignInPlace[], accountId: string): readonly string[] {
  return places.map(({ environment, service }) => `${environment}/${service}/${accountId}`);
}
