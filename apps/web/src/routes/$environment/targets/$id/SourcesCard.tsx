import type { Target } from '@gatehouse/api-types/console/targets';
import { Button } from '@gatehouse/ui/button';
import { Card } from '@gatehouse/ui/card';
import { KeyValueList } from '@gatehouse/ui/key-value-list';
import { LinkButton } from '@gatehouse/ui/link';
import { useEnvironment } from '#components/environment/use-environment.ts';
import { hostSetHref } from '#components/places/host-sources.ts';
import { reasonAgainst } from '#components/record/record-kind.ts';
import { kindLabels } from '#components/source/kind-labels.ts';
import { credentialNames, sourceNames } from '../source-names.tsx';
import { useHostSetNames } from './use-host-set-names.ts';

/** A target's sources, with names, IDs and links. */
export function SourcesCard({ target }: { target: Target }) {
  const environment = useEnvironment();
  const names = useHostSetNames(target.id);
  const cannotChange = reasonAgainst(target, 'set-host-sources', 'target');
  const credentials = (sources: Target['brokered_credential_sources']) =>
    credentialNames(environment.id, target, sources);
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
              value: sourceNames(
                target.host_sources.map(({ id, host_catalog_id: catalog }) => ({
                  id,
                  name: names.get(id)?.name ?? id,
                  href: hostSetHref(environment.id, catalog, id),
                })),
              ),
            },
            {
              label: kindLabels.brokered_credential_source_ids,
              value: credentials(target.brokered_credential_sources),
            },
            {
              label: kindLabels.injected_application_credential_source_ids,
              value: credentials(target.injected_application_credential_sources),
            },
            {
              label: kindLabels.application_credential_source_ids,
              value: credentials(target.application_credential_sources),
            },
          ]}
        />
      </div>
    </Card>
  );
}
