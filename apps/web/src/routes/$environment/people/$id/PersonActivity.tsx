import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { defaultStringifySearch } from '@tanstack/react-router';
import { resourceWords } from '#components/activity/activity-words.ts';
import { ActivityRow } from '#components/activity/ActivityRow.tsx';
import { Time } from '#components/environment/Time.tsx';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { Failure } from '#components/errors/Failure.tsx';
import { lastActionQuery, personActivityQuery } from '#queries/activity.ts';

/** What a person last did through the console, and when they last signed in. */
export function PersonActivity({ id }: { id: string }) {
  const { id: environment } = useEnvironment();
  const { data, error, refetch } = useQuery(personActivityQuery(environment, id));
  const { data: signIn } = useQuery(lastActionQuery(environment, id, 'console-session.sign-in'));
  return (
    <Card
      title="Recent activity"
      actions={
        <LinkButton
          href={`/${environment}/activity${defaultStringifySearch({ person: id })}`}
          size={28}
          variant="ghost"
        >
          All activity
        </LinkButton>
      }
    >
      {data === undefined || signIn === undefined ? (
        error === null ? (
          <SkeletonList label="Loading the activity" lines={4} />
        ) : (
          <Failure error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          {data.sees === 'own' && (
            <p className="text-body text-ink-2">
              Only your own activity is shown. Administrators see everyone's.
            </p>
          )}
          {signIn !== null && (
            <p className="text-body text-ink-2">
              Last sign-in: <Time value={signIn.time} isRelative />
            </p>
          )}
          {data.sees === 'all' && data.items.length === 0 && (
            <p className="text-body text-ink-2">
              The console has recorded no activity of this person. Other clients are not recorded.
            </p>
          )}
          <ol className="-mb-2 flex flex-col">
            {data.items.map((entry) => (
              <li key={entry.sequence} className="border-b border-line py-2 last:border-b-0">
                <ActivityRow entry={entry} about={resourceWords(entry)} />
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  );
}
