import * as at from '@gatehouse/api-types/console/addresses/boxes';
import { fieldsOfProvider, provider } from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { call } from '#lib/api.ts';
import { useCreateProvider } from '#queries/box-changes.ts';
import { staleBox, type VersionPlace } from '#queries/boxes.ts';
import { newProviderAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import {
  fieldsOfProviderForm,
  formOfProvider,
  providerForm,
  type ProviderForm,
} from '#routes/$environment/boxes/-editing/box-forms.ts';
import { NewStored } from '#routes/$environment/boxes/-editing/NewStored.tsx';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

const route = getRouteApi('/$environment/boxes/owners/$username/$name/versions/$version/new-provider/');
const blank: ProviderForm = { name: '', url: '', checksum_type: 'none', checksum: '' };

export function NewProviderPage() {
  const place = route.useParams();
  usePageTitle(`New provider of ${place.username}/${place.name} ${place.version}`);
  return (
    <>
      <PageHeader icon={Plus} title="New provider" ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {({ may, versions }) => {
          const reason = reasonAgainstPublishing(may, place.username);
          if (reason !== undefined)
            return <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />;
          if (!versions.some(({ version }) => version === place.version))
            return <NotInBox place={place} what={`version ${place.version}`} />;
          return <NewProvider place={place} />;
        }}
      </BoxFrame>
    </>
  );
}

function NewProvider({ place }: { place: VersionPlace }) {
  const queryClient = useQueryClient();
  const create = useCreateProvider(place);
  return (
    <NewStored
      spec={providerForm}
      blank={blank}
      schema={provider}
      valuesOf={(item) => formOfProvider(fieldsOfProvider(item))}
      nameOf={({ name }) => name}
      create={(values) => create.mutateAsync(fieldsOfProviderForm(values))}
      replace={async (guard, values) => {
        const { name, ...changes } = fieldsOfProviderForm(values);
        const params = { ...place, provider: name };
        const saved = await call(at.boxProviders.update, { params, ...guard, body: changes });
        staleBox(queryClient, place);
        return saved;
      }}
      hrefOf={() => versionHref(place)}
      cancelHref={versionHref(place)}
      codeOf={(values) => newProviderAsCode(place, fieldsOfProviderForm(values))}
    />
  );
}
