import type { Person } from '@gatehouse/api-types/console/people';
import { useEnvironment, useSession } from '#components/environment/use-environment.ts';

/** The environments in which people have the same accounts as in the page's, and whether there are others. */
export function useAccountPlaces(): {
  readonly names: string;
  readonly areAll: boolean;
  readonly isOne: boolean;
} {
  const { accounts } = useEnvironment();
  const { environments } = useSession();
  const same = environments.filter(({ id }) => accounts.includes(id));
  return {
    names: new Intl.ListFormat('en').format(same.map(({ name }) => name)),
    areAll: same.length === environments.length,
    isOne: same.length === 1,
  };
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
