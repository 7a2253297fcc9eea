import {
  fieldsOfProvider,
  provider as providerSchema,
  type Box,
  type Provider,
} from '@gatehouse/api-types/console/boxes';
import { PageHeader } from '@gatehouse/ui/page-header';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { PencilLine } from 'lucide-react';
import { recreated } from '#components/conflict/recreate-record.ts';
import { usePageTitle } from '#components/layout/use-page-title.ts';
import { versionCrumbs, versionHref } from '#components/places/boxes.ts';
import { useCreateProvider, useUpdateProvider } from '#queries/box-changes.ts';
import { boxQuery, staleBox, type ProviderPlace } from '#queries/boxes.ts';
import { providerChangesAsCode } from '#routes/$environment/boxes/-editing/box-as-code.ts';
import {
  fieldsOfProviderForm,
  formOfProvider,
  providerChanges,
  providerForm,
} from '#routes/$environment/boxes/-editing/box-forms.ts';
import { EditStored } from '#routes/$environment/boxes/-editing/EditStored.tsx';
import { Kept } from '#routes/$environment/boxes/-editing/Kept.tsx';
import { ReleasedNote } from '#routes/$environment/boxes/-editing/ReleasedNote.tsx';
import { BoxFrame, MayNot, NotInBox } from '#routes/$environment/boxes/BoxFrame.tsx';
import { reasonAgainstPublishing } from '#routes/$environment/boxes/may.ts';

const route = getRouteApi(
  '/$environment/boxes/owners/$username/$name/versions/$version/providers/$provider/edit/',
);

export function EditProviderPage() {
  const place = route.useParams();
  const { username, name, version, provider } = place;
  usePageTitle(`Edit ${provider} of ${username}/${name} ${version}`);
  return (
    <>
      <PageHeader icon={PencilLine} title={`Edit ${provider}`} ancestors={versionCrumbs(place)} />
      <BoxFrame place={place} isEdited>
        {(box) => {
          const reason = reasonAgainstPublishing(box.may, username);
          if (reason !== undefined)
            return <MayNot reason={reason} href={versionHref(place)} label="Go to the version" />;
          return (
            <Kept
              item={providerIn(box, place)}
              missing={<NotInBox place={place} what={`provider ${provider} of version ${version}`} />}
            >
              {(item) => (
                <EditProvider
                  place={place}
                  provider={item}
                  isReleased={box.versions.some((one) => one.version === version && one.status === 'active')}
                />
              )}
            </Kept>
          );
        }}
      </BoxFrame>
    </>
  );
}

function providerIn({ versions }: Box, { version, provider }: ProviderPlace): Provider | undefined {
  return versions.find((item) => item.version === version)?.providers.find(({ name }) => name === provider);
}

function EditProvider({
  place,
  provider,
  isReleased,
}: {
  place: ProviderPlace;
  provider: Provider;
  isReleased: boolean;
}) {
  const queryClient = useQueryClient();
  const update = useUpdateProvider(place);
  const create = useCreateProvider(place, recreated);
  return (
    <EditStored
      item={provider}
      spec={providerForm}
      schema={providerSchema}
      fieldsOf={(item) => formOfProvider(fieldsOfProvider(item))}
      nameOf={({ name }) => name}
      update={(guard, changed, values) =>
        update.mutateAsync({ ...guard, changes: providerChanges(changed, values) })
      }
      reread={async () =>
        providerIn(await queryClient.fetchQuery({ ...boxQuery(place), staleTime: 0 }), place)
      }
      hrefOf={() => versionHref(place)}
      goneHref={versionHref(place)}
      forget={() => {
        staleBox(queryClient, place);
      }}
      recreate={{
        note: 'An image that the registry kept is gone with it, and is to be uploaded again.',
        make: (fields) => create.mutateAsync(fieldsOfProviderForm(fields)),
      }}
      noticeOf={() =>
        isReleased && (
          <ReleasedNote>
            Clients that have it keep what they downloaded, and are not told of a change. Publish another
            version instead, unless this one never worked.
          </ReleasedNote>
        )
      }
      codeOf={(values, changed) => providerChangesAsCode(place, providerChanges(changed, values))}
    />
  );
}
