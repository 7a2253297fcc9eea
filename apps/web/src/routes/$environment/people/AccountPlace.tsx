import type { Person } from '@gatehouse/api-types/console/people';
import type { Environment } from '@gatehouse/api-types/console/session';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';
import { hasService } from '#lib/has-service.ts';

/**
 * The environments in which people have the same accounts as in one of them.
 * @returns `areAll`: no other environment has accounts; `isOne`: only this environment has them
 */
export function accountPlacesOf({ accounts }: Environment, environments: readonly Environment[]) {
  const same = environments.filter(({ id }) => accounts.includes(id));
  const controlled = environments.filter((one) => hasService(one, 'access'));
  return {
    names: new Intl.ListFormat('en').format(same.map(({ name }) => name)),
    areAll: same.length === controlled.length,
    isOne: same.length === 1,
  };
}

/** The environments in which people have the same accounts as in the page's. */
export function useAccountPlaces() {
  return accountPlacesOf(useEnvironment(), useSession().environments);
}

/** Says in a question which account is meant, and where else it is the same. */
export function AccountPlace({ person }: { person: Person }) {
  const { names, isOne } = useAccountPlaces();
  return (
    <p>
      <span className="font-mono text-meta">{person.login_name}</span> in {names}
      {isOne ? '.' : ', which have the same accounts.'}
    </p>
  );
}
