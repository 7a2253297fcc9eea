import type { CloudRoot, CloudRootFields } from '@gatehouse/api-types/console/cloud-engines';
import { Banner } from '@gatehouse/ui/banner';
import { Button } from '@gatehouse/ui/button';
import { lazy } from '@gatehouse/ui/lazy';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { RefreshCcwDot } from 'lucide-react';
import { Suspense, useState } from 'react';
import { cloudCrumbs, cloudRolesHref } from '#components/places/cloud.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { FavoriteButton } from '#components/record/RecordButtons.tsx';
import { queryClient } from '#lib/query-client.ts';
import { useShortcut } from '#lib/shortcuts.ts';
import { cloudRootQuery, type EnginePlace } from '#queries/cloud.ts';
import { OtherFields } from '../../-roles/OtherFields.tsx';
import { RootSource } from '../../-settings/RootSource.tsx';
import { rootKind } from '../../-settings/settings-kinds.tsx';
import { reasonAgainstEngine } from '../../may.ts';

export const Route = createFileRoute('/$environment/cloud/$mount/root/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudRootQuery(params));
  },
  component: RootPage,
});

const RotateRoot = lazy(async () => ({
  default: (await import('../../-settings/RotateRoot.tsx')).RotateRoot,
}));
const route = getRouteApi('/$environment/cloud/$mount/root/');

/** The root credentials of an engine, which it uses to issue all others. */
function RootPage() {
  const place = route.useParams();
  const { mount } = place;
  const here = cloudRolesHref(place);
  return (
    <EditRecord
      kind={rootKind}
      address={mount}
      icon={rootKind.icon}
      title={() => 'Root credentials'}
      pageTitle={() => `Root credentials of ${mount}`}
      ancestors={cloudCrumbs(place)}
      hrefOf={() => here}
      listHref={here}
      actions={(root, changed) => (
        <>
          <FavoriteButton name={`Root credentials of ${mount}`} group="Root credentials" />
          <RotateButton place={place} root={root} onRotated={changed} />
        </>
      )}
      readOnly={(root, reason) => <ReadRoot root={root} reason={reason} />}
    />
  );
}

function RotateButton({
  place,
  root,
  onRotated,
}: {
  place: EnginePlace;
  root: CloudRoot;
  /** The form still has the old key. */
  onRotated: (own: Pick<CloudRootFields, 'access_key'>) => void;
}) {
  const [isRotating, setRotating] = useState(false);
  const reason =
    reasonAgainstEngine(root.may, 'rotate_root') ??
    (root.access_key === ''
      ? 'Only keys configured here can be rotated. The server gets its credentials elsewhere.'
      : undefined);
  const rotate = (): void => {
    setRotating(true);
  };
  useShortcut({
    keys: 'o',
    label: 'Rotate root credentials',
    group: 'Root credentials',
    disabledReason: reason,
    run: rotate,
  });
  return (
    <>
      <Button size={28} icon={RefreshCcwDot} shortcut="o" disabledReason={reason} onPress={rotate}>
        Rotate
      </Button>
      {isRotating && (
        <Suspense fallback={null}>
          <RotateRoot
            place={place}
            root={root}
            onClose={() => {
              setRotating(false);
            }}
            onRotated={onRotated}
          />
        </Suspense>
      )}
    </>
  );
}

function ReadRoot({ root, reason }: { root: CloudRoot; reason: string }) {
  return (
    <div className="flex max-w-180 flex-col gap-4 overflow-y-auto p-4 wide:p-6">
      <Banner tone="info" title="Read-only" announce="none">
        {reason}
      </Banner>
      <RootSource root={root} />
      <DetailCard
        title="Provider"
        items={[
          { label: 'Region', value: root.region, isMono: true },
          { label: 'IAM endpoint', value: root.iam_endpoint, isMono: true },
          { label: 'STS endpoint', value: root.sts_endpoint, isMono: true },
          {
            label: 'Retries',
            value: root.max_retries === -1 ? 'SDK default' : root.max_retries.toLocaleString('en'),
          },
        ]}
      />
      <OtherFields other={root.other} />
    </div>
  );
}
