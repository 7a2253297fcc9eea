import type { NamedFields } from '@gatehouse/api-types/console/secret-names';
import type { EnvironmentComparison } from '@gatehouse/api-types/console/secrets';
import type { Environment } from '@gatehouse/api-types/console/session';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { EnvironmentBadge } from '@gatehouse/ui/environment';
import { Link } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { useSession } from '#components/environment/use-environment.ts';
import { useReplicas } from '#components/environment/use-replicas.ts';
import { secretHref } from '#components/places/secrets.ts';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { hasService } from '#lib/has-service.ts';
import { useCompareEnvironments, type SecretPlace } from '#queries/secrets.ts';
import { connectionIn, connectionsQuery } from '#queries/session.ts';
import { reasonAgainstReading } from '../may.ts';
import type { SecretTabProps } from '../secret-tab-props.ts';

/** Compares the secret with those at its path in other environments, without any values. */
export function OtherEnvironments({
  place,
  may,
}: {
  place: SecretPlace;
  may: SecretTabProps['secret']['may'];
}) {
  const { environments } = useSession();
  const { data: connections } = useQuery(connectionsQuery);
  const replicas = useReplicas().others;
  const others = environments.filter((one) => one.id !== place.environment && hasService(one, 'secrets'));
  if (others.length === 0 || connections === undefined) return null;
  return (
    <Card title="In other environments" isFlush>
      <ul>
        {others.map((other) => (
          <OtherEnvironment
            key={other.id}
            place={place}
            other={other}
            isReplica={replicas.some(({ id }) => id === other.id)}
            isConnected={connectionIn(connections, other.id, 'secrets')?.state === 'connected'}
            cannotRead={reasonAgainstReading(may)}
          />
        ))}
      </ul>
    </Card>
  );
}

function OtherEnvironment({
  place,
  other,
  isReplica,
  isConnected,
  cannotRead,
}: {
  place: SecretPlace;
  other: Environment;
  isReplica: boolean;
  isConnected: boolean;
  cannotRead: string | undefined;
}) {
  const compare = useCompareEnvironments(place);
  return (
    <li className="flex flex-col gap-1 border-b border-line px-4 py-2 last:border-b-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <EnvironmentBadge kind={other.kind} name={other.name} />
        {isReplica && <span className="me-auto text-body text-ink-2">Replicated</span>}
        {isConnected ? (
          <Button
            size={28}
            isPending={compare.isPending}
            disabledReason={cannotRead}
            onPress={() => {
              compare.mutate(other.id);
            }}
          >
            Compare<span className="sr-only"> with {other.name}</span>
          </Button>
        ) : (
          <Link href={`/${place.environment}/connections`}>Connect first</Link>
        )}
      </div>
      <div role="status" className="flex flex-col gap-1 text-body text-ink-2 wrap-anywhere empty:hidden">
        {compare.isError && (
          <p className="text-danger">
            {wordsOf(compare.error).title}. {wordsOf(compare.error).detail}
          </p>
        )}
        {compare.data && (
          <>
            {comparisonInWords(compare.data, other.name).map((line) => (
              <p key={line}>{line}</p>
            ))}
            {compare.data.other !== null && (
              <Link href={secretHref({ ...place, environment: other.id })}>Open it in {other.name}</Link>
            )}
          </>
        )}
      </div>
    </li>
  );
}

/** Most fields that a line names. */
const mostNamed = 10;

/** What a comparison found, a sentence each. */
export function comparisonInWords(
  { other, changed, here, there, same }: EnvironmentComparison,
  environment: string,
): readonly string[] {
  if (other === null) return ['No secret at this path.'];
  if (!other.readable) return [`Its newest version, ${String(other.version)}, is deleted.`];
  const those = ({ names, count }: NamedFields): string => {
    const shown = names.slice(0, mostNamed);
    const rest = count - shown.length;
    return [...shown, ...(rest > 0 ? [`${rest.toLocaleString('en')} more`] : [])].join(', ');
  };
  const lines = [
    ['Different', those(changed)],
    ['Only here', those(here)],
    [`Only in ${environment}`, those(there)],
  ].flatMap(([what = '', names = '']) => (names === '' ? [] : [`${what}: ${names}.`]));
  return lines.length > 0 ? lines : [`${counted(same, 'field')}, all the same.`];
}
