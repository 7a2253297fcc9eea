import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { providerLabel } from '@gatehouse/api-types/console/box-values';
import {
  type BoxVersion,
  provider,
  type Provider,
  type ProviderChanges,
} from '@gatehouse/api-types/console/boxes';
import { harmOfNewProvider } from '@gatehouse/api-types/console/harm-of';
import { PageHeader } from '@gatehouse/ui/page-header';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePageTitle } from '#components/environment/use-page-title.ts';
import { versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { NewRecordForm } from '#components/record/NewRecordForm.tsx';
import { queryClient } from '#lib/query-client.ts';
import { boxQuery, type ProviderAddress, type VersionPlace } from '#queries/boxes.ts';
import { useUpdateRecord } from '#queries/record-life.ts';
import { newInRegistry, newProviderAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import {
  fieldsOfProviderForm,
  providerForm,
  type ProviderForm,
} from '#routes/$environment/boxes/-editing/box-forms.ts';
import { providerKind } from '#routes/$environment/boxes/-editing/box-kinds.tsx';
import { clientsAreCutOff, clientsGetIt } from '#routes/$environment/boxes/-editing/image-is-lost.ts';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

export const Route = createFileRoute(
  '/$environment/boxes/owners/$username/$name/versions/$version/new-provider/',
)({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(boxQuery(params));
  },
  component: NewProviderPage,
});

const route = getRouteApi('/$environment/boxes/owners/$username/$name/versions/$version/new-provider/');
const blank: ProviderForm = {
  name: '',
  architecture: '',
  is_default: false,
  url: '',
  checksum_type: 'none',
  checksum: '',
};

function NewProviderPage() {
  const place = route.useParams();
  usePageTitle(`New provider of ${place.username}/${place.name} ${place.version}`);
  return (
    <>
      <PageHeader icon={Plus} title="New provider" ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {({ may, versions, knows_architectures: knows }) => {
          const reason = reasonAgainstPublishing(may, place.username);
          if (reason !== undefined)
            return <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />;
          const version = versions.find((one) => one.version === place.version);
          if (version === undefined) return <NotInBox place={place} what={`version ${place.version}`} />;
          return <NewProvider place={place} version={version} knowsArchitectures={knows} />;
        }}
      </BoxFrame>
    </>
  );
}

function NewProvider({
  place,
  version,
  knowsArchitectures,
}: {
  place: VersionPlace;
  version: BoxVersion;
  knowsArchitectures: boolean;
}) {
  const kind = providerKind(place, knowsArchitectures);
  const update = useUpdateRecord<Provider, ProviderChanges, ProviderAddress>(kind.calls, place.environment);
  const fieldsOf = (values: ProviderForm) => fieldsOfProviderForm(values, knowsArchitectures);
  return (
    <NewRecordForm
      kind={kind}
      blank={blank}
      formOf={() => providerForm({ knowsArchitectures, isDefault: false })}
      bodyOf={fieldsOf}
      guardOf={(values) =>
        harmOfNewProvider(values, version) && {
          harm: at.boxProviders.create.harm,
          title: `Create ${providerLabel(fieldsOf(values))} in a released version?`,
          confirmLabel: 'Create provider',
          typedName: values.name,
          impacts: [
            ...(values.url === '' ? [] : [clientsGetIt(version.version)]),
            ...(harmOfNewProvider({ ...values, url: '' }, version)
              ? [clientsAreCutOff(version.version)]
              : []),
          ],
        }
      }
      taken={{
        schema: provider,
        valuesOf: kind.fieldsOf,
        replace: (guard, values) => {
          const { name, architecture, is_default, ...changes } = fieldsOf(values);
          const address = { provider: name, architecture };
          return update.mutateAsync({
            address,
            guard,
            changes: { ...changes, ...(knowsArchitectures && is_default && { is_default }) },
          });
        },
      }}
      hrefOf={() => versionHref(place)}
      cancelHref={versionHref(place)}
      codeOf={(values) => newInRegistry(newProviderAsCode(place, fieldsOf(values), knowsArchitectures))}
    />
  );
}
