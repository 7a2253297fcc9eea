import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { Link, LinkButton } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { credentialSourceHref } from '#components/places/credential-sources.ts';
import { hostSetHref } from '#components/places/host-sources.ts';
import { nameOrId, reasonAgainst } from '#components/record/record-kind.ts';
import { kindLabels } from '#components/source/kind-labels.ts';
import { whatItReads, type ReadByLibrary } from '#components/source/what-it-reads.ts';
import { useHostSetNames } from './use-host-set-names.ts';

/** A target's sources, with names, IDs and links. */
export function SourcesCard({ target }: { target: Target }) {
  const environment = useEnvironment();
  const names = useHostSetNames(target.id);
  const cannotChange = reasonAgainst(target, 'set-host-sources', 'target');
  const credentials = (sources: Target['brokered_credential_sources']): readonly Source[] =>
    sources.map((source) => ({
      id: source.id,
      name: nameOrId(source),
      href: credentialSourceHref(environment.id, source.credential_store_id, source.id),
      read: whatItReads(environment.id, source),
    }));
  return (
    <Card
      title="Sources"
      actions={
        cannotChange === undefined ? (
          <LinkButton
            href={`/${environment.id}/targets/${encodeURIComponent(target.id)}/sources`}
            size={28}
            variant="ghost"
          >
            Change sources
          </LinkButton>
        ) : (
          <Button size={28} variant="ghost" disabledReason={cannotChange}>
            Change sources
          </Button>
        )
      }
    >
      <div className="-my-2">
        <KeyValueList
          emptyText="None"
          items={[
            {
              label: kindLabels.host_source_ids,
              value: listOf(
                target.host_sources.map(({ id, host_catalog_id: catalog }) => ({
                  id,
                  name: names.get(id)?.name ?? id,
                  href: hostSetHref(environment.id, catalog, id),
                })),
              ),
            },
            {
              label: kindLabels.brokered_credential_source_ids,
              value: listOf(credentials(target.brokered_credential_sources)),
            },
            {
              label: kindLabels.injected_application_credential_source_ids,
              value: listOf(credentials(target.injected_application_credential_sources)),
            },
            {
              label: kindLabels.application_credential_source_ids,
              value: listOf(credentials(target.application_credential_sources)),
            },
          ]}
        />
      </div>
    </Card>
  );
}

interface Source {
  readonly id: string;
  readonly name: string;
  readonly href: string;
  /** Only for a library. */
  readonly read?: ReadByLibrary | undefined;
}

function listOf(sources: readonly Source[]) {
  if (sources.length === 0) return '';
  return (
    <ul className="flex flex-col gap-0.5">
      {sources.map(({ id, name, href, read }) => (
        <li key={id} className="flex flex-wrap items-baseline gap-x-2">
          <Link href={href}>{name}</Link>
          {name !== id && <span className="font-mono text-meta text-ink-3">{id}</span>}
          {read && (
            <span className="text-meta text-ink-2">
              reads <Link href={read.href}>{read.name}</Link>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
