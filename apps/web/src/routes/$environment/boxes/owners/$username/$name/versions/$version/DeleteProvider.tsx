import {
  fieldsOfProvider,
  provider as providerSchema,
  type BoxVersion,
  type Provider,
} from '@gatehouse/api-types/console/boxes';
import { toasts } from '@gatehouse/ui/toast';
import { useQueryClient } from '@tanstack/react-query';
import { byteSize } from '#lib/byte-size.ts';
import { useDeleteProvider } from '#queries/box-changes.ts';
import { staleBox, type ProviderPlace } from '#queries/boxes.ts';
import { formOfProvider, providerForm } from '#routes/$environment/boxes/-editing/box-forms.ts';
import { ConfirmStored } from '#routes/$environment/boxes/-editing/ConfirmStored.tsx';

/** Asks, then deletes a provider with its image; of a released version its name is typed. */
export function DeleteProvider({
  place,
  version,
  provider,
  onClose,
}: {
  place: ProviderPlace;
  version: BoxVersion;
  provider: Provider;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const remove = useDeleteProvider(place);
  const isReleased = version.status === 'active';
  const gone = (): void => {
    toasts.ok({ title: `Provider ${provider.name} deleted` });
    onClose();
  };
  return (
    <ConfirmStored
      item={provider}
      schema={providerSchema}
      spec={providerForm}
      fieldsOf={(item) => formOfProvider(fieldsOfProvider(item))}
      title={`Delete provider ${provider.name} of ${version.version}?`}
      confirmLabel="Delete provider"
      anywayLabel="Delete it anyway"
      typedName={provider.name}
      impacts={[
        ...(isReleased
          ? [
              {
                kind: 'breaks' as const,
                text: `Machines of ${provider.name} cannot be made from version ${version.version} any more.`,
              },
            ]
          : []),
        {
          kind: 'worth-knowing',
          text: provider.hosted
            ? `Its image is deleted with it${provider.size === null ? '' : ` (${byteSize(provider.size)})`}. It cannot be taken back.`
            : 'What is kept elsewhere is not touched.',
        },
      ]}
      mutation={remove}
      onDone={gone}
      onGone={() => {
        staleBox(queryClient, place);
        gone();
      }}
      onCancel={onClose}
    />
  );
}
