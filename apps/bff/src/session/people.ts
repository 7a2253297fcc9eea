/**
 * How the console identifies users. What they did and set up is stored by account, never by a name, which can be
 * reused.
 */
import { serviceNames, type ServiceName } from '@gatehouse/api-types/console/service';
import { isSameServer, type EnvironmentConfig, type ServiceConfig } from '#config/config.ts';
import { ownerOfToken, type GrantedToken } from '#upstreams/granted-token.ts';

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

/** Found once, because requests ask for them. */
const knownStores = new WeakMap<readonly EnvironmentConfig[], ReadonlyMap<string, string>>();

/**
 * Where accounts are the same: equal for two services exactly if a login name and its password are one account at both.
 * Embedded services have the accounts of the installation in every environment, an environment's services may share
 * theirs, and environments may name the same server.
 */
export function accountStore(
  environments: readonly EnvironmentConfig[],
  { environment, service }: { readonly environment: string; readonly service: string },
): string {
  const stores = knownStores.get(environments) ?? storesOf(environments);
  knownStores.set(environments, stores);
  const place = `${environment}/${service}`;
  return stores.get(place) ?? place;
}

/** The stores of all environments' services, by `<environment>/<service>`, also of those that aren't configured. */
function storesOf(environments: readonly EnvironmentConfig[]): ReadonlyMap<string, string> {
  const all = environments.flatMap(({ id, sharedAccounts, services }) =>
    serviceNames.map((name) => ({
      id,
      name,
      place: `${id}/${name}`,
      sharedAccounts,
      config: services[name],
    })),
  );
  const stores = new Map<string, string>();
  for (const first of all) {
    if (stores.has(first.place)) continue;
    const same = new Set([first]);
    // This also visits those that it adds.
    for (const one of same) {
      for (const other of all) {
        const isShared = one.sharedAccounts && other.id === one.id;
        if (isShared || (other.name === one.name && hasSameLogins(one.config, other.config))) same.add(other);
      }
    }
    const name = first.sharedAccounts ? first.id : first.place;
    const store = [...same].some(({ config }) => isEmbedded(config)) ? '' : name;
    for (const { place } of same) stores.set(place, store);
  }
  return stores;
}

function isEmbedded(config: ServiceConfig | undefined): boolean {
  return config?.endpoint.kind === 'socket';
}

/** Whether two environments sign in to one server in the same way. */
function hasSameLogins(one: ServiceConfig | undefined, other: ServiceConfig | undefined): boolean {
  const wayOf = (config: ServiceConfig | undefined): string =>
    JSON.stringify([config?.namespace, config?.passwordMount ?? 'userpass', config?.authMethodId]);
  return isSameServer(one, other) && wayOf(one) === wayOf(other);
}

/**
 * The services where an ID is the same account's: all embedded ones for an account of one of them, as they have the
 * accounts of the installation; otherwise the others of each environment that names the account's server, and these
 * servers in all environments. Elsewhere, IDs may be equal by chance.
 */
export function placesOfAccount(
  environments: readonly EnvironmentConfig[],
  place: SignInPlace,
): readonly SignInPlace[] {
  const configOf = ({ environment, service }: SignInPlace): ServiceConfig | undefined =>
    environments.find(({ id }) => id === environment)?.services[service];
  const own = configOf(place);
  const all = [...new Set([place.environment, ...environments.map(({ id }) => id)])].flatMap((environment) =>
    serviceNames.map((service) => ({ environment, service })),
  );
  if (isEmbedded(own)) return all.filter((one) => isEmbedded(configOf(one)));
  const near = all.filter(
    (one) =>
      !isEmbedded(configOf(one)) &&
      (one.environment === place.environment ||
        isSameServer(own, configOf({ environment: one.environment, service: place.service }))),
  );
  return all.filter(
    (one) =>
      near.includes(one) ||
      near.some((other) => other.service === one.service && isSameServer(configOf(other), configOf(one))),
  );
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
  const account = accountOf(personId);
  return JSON.stringify([
    accountStore(environments, { environment, service }),
    service === 'secrets' ? ownerOfToken(account) : account,
  ]);
}

/** The user IDs that count as one account with this one: those with the same `countedAccount`. */
export function countedIds(environments: readonly EnvironmentConfig[], personId: string): readonly string[] {
  const account = countedAccount(environments, personId);
  const places = environments.flatMap(({ id }) =>
    serviceNames.map((service) => ({ environment: id, service })),
  );
  const same = idsOfAccount(places, accountOf(personId)).filter(
    (id) => countedAccount(environments, id) === account,
  );
  return [...new Set([personId, ...same])];
}

/** The user IDs of an account that has this ID at some services. */
export function idsOfAccount(places: readonly SignInPlace[], accountId: string): readonly string[] {
  return places.map(({ environment, service }) => `${environment}/${service}/${accountId}`);
}
