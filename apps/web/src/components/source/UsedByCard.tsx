import { LinkButton } from '@gatehouse/ui/link';
import { useQuery } from '@tanstack/react-query';
import { credentialKinds, targetsUsingQuery, type SourceKind } from '#queries/target-sources.ts';
import { useEnvironment } from '../environment/use-environment.ts';
import { kindLabels } from './kind-labels.ts';
import { UsedByTargets } from './UsedByTargets.tsx';

export interface UsedByCardProps {
  /** The project: only its targets can use the source. */
  scope: string;
  ids: readonly string[];
  kinds: readonly SourceKind[];
  /** The page that replaces it. */
  retireHref?: string;
}

/** The targets that use a source, and in which role. */
export function UsedByCard({ scope, ids, kinds, retireHref }: UsedByCardProps) {
  const environment = useEnvironment();
  const query = useQuery(targetsUsingQuery(environment.id, scope, kinds, ids));
  const targets = query.data;
  const isCredential = kinds.some((kind) => credentialKinds.some((credential) => credential === kind));
  return (
    <UsedByTargets
      environment={environment.id}
      query={query}
      targets={targets?.map((target) => ({
        id: target.id,
        name: target.name,
        detail: isCredential
          ? kinds
              .filter((kind) => target[kind].some((id) => ids.includes(id)))
              .map((kind) => kindLabels[kind].toLowerCase())
              .join(', ')
          : undefined,
      }))}
      none="No target you can see uses it."
      actions={
        retireHref !== undefined &&
        targets !== undefined &&
        targets.length > 0 && (
          <LinkButton href={retireHref} size={28} variant="ghost">
            Replace
          </LinkButton>
        )
      }
    />
  );
}
