import { Card } from '@gatehouse/ui/card';
import { LinkButton } from '@gatehouse/ui/link';
import { SkeletonList } from '@gatehouse/ui/skeleton';
import { useQuery } from '@tanstack/react-query';
import { counted } from '#lib/counted.ts';
import { wordsOf } from '#lib/error-words.ts';
import { credentialKinds, targetsUsingQuery, type SourceKind } from '#queries/target-sources.ts';
import { useEnvironment } from '../layout/use-environment.ts';
import { LinkedRecords } from '../record/DetailCard.tsx';
import { kindLabels } from './kind-labels.ts';

export interface UsedByCardProps {
  /** The project, whose targets alone can use it. */
  scope: string;
  ids: readonly string[];
  kinds: readonly SourceKind[];
  /** Where it can be replaced by another. */
  retireHref?: string;
}

/** The targets that use a source, each with how. */
export function UsedByCard({ scope, ids, kinds, retireHref }: UsedByCardProps) {
  const environment = useEnvironment();
  const query = useQuery(targetsUsingQuery(environment.id, scope, kinds, ids));
  const targets = query.data;
  return (
    <Card
      title={targets === undefined ? 'Used by' : `Used by ${counted(targets.length, 'target')}`}
      isFlush
      {...(retireHref !== undefined &&
        targets !== undefined &&
        targets.length > 0 && {
          actions: (
            <LinkButton href={retireHref} size={28} variant="ghost">
              Retire
            </LinkButton>
          ),
        })}
    >
      {query.isPending && (
        <div className="p-4">
          <SkeletonList label="Looking up which targets use it" lines={2} />
        </div>
      )}
      {query.isError && targets === undefined && (
        <p className="p-4 text-body text-danger">
          Which targets use it could not be looked up. {wordsOf(query.error).detail}
        </p>
      )}
      {targets?.length === 0 && (
        <p className="p-4 text-body text-ink-2">No target that you may see uses it.</p>
      )}
      {targets !== undefined && targets.length > 0 && (
        <LinkedRecords
          label="Targets that use it"
          items={targets.map((target) => ({
            id: target.id,
            name: target.name,
            href: `/${environment.id}/targets/${encodeURIComponent(target.id)}`,
            detail: kinds.some((kind) => credentialKinds.some((credential) => credential === kind))
              ? kinds
                  .filter((kind) => target[kind].some((id) => ids.includes(id)))
                  .map((kind) => kindLabels[kind].toLowerCase())
                  .join(', ')
              : undefined,
          }))}
        />
      )}
    </Card>
  );
}
