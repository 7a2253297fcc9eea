import type { Person } from '@gatehouse/api-types/console/people';
import { connectingRoles } from '@gatehouse/api-types/console/target-values';
import { Card } from '@gatehouse/ui/card';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Loaded } from '#components/errors/Loaded.tsx';
import { personName, roleWord } from '#components/people/person-words.ts';
import { peopleQuery } from '#queries/people.ts';

/** Most people in the card. */
const shown = 10;

/** The people whose role allows sessions on targets, if the controller reports roles of this kind. */
export function WhoCanConnect() {
  const { id: environment } = useEnvironment();
  const query = useQuery(peopleQuery(environment));
  const href = `/${environment}/people`;
  return (
    <Card
      title="Who can connect"
      actions={
        <LinkButton href={href} size={28} variant="ghost">
          All people
        </LinkButton>
      }
    >
      <Loaded query={query} label="Loading the people" lines={3}>
        {(people) => <Connecting people={people} href={href} />}
      </Loaded>
    </Card>
  );
}

function Connecting({ people, href }: { people: readonly Person[]; href: string }) {
  if (people.some(({ roles }) => roles === null)) {
    return (
      <p className="text-body text-ink-2">
        This controller doesn't report what its roles allow. Look at the grants of its roles.
      </p>
    );
  }
  const able = people
    .flatMap((person) => {
      const role = person.roles?.access ?? null;
      const may = !person.disabled && role !== null && connectingRoles.includes(role);
      return may ? [{ id: person.id, name: personName(person), role }] : [];
    })
    .sort((a, b) => a.name.localeCompare(b.name));
  const others = able.length - shown;
  return (
    <>
      <p className="text-meta text-ink-2">
        Administrators and operators of the access controller, on every target.
      </p>
      <ul className="mt-1 -mb-2">
        {able.slice(0, shown).map(({ id, name, role }) => (
          <li
            key={id}
            className="flex flex-wrap justify-between gap-x-3 border-b border-line py-2 last:border-b-0"
          >
            <Link href={`${href}/${encodeURIComponent(id)}`}>{name}</Link>
            <span className="text-meta text-ink-2">{roleWord(role)}</span>
          </li>
        ))}
        {others > 0 && (
          <li className="py-2 text-meta text-ink-2">
            and {others} {others === 1 ? 'other' : 'others'}
          </li>
        )}
      </ul>
    </>
  );
}
