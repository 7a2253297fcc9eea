import type { CloudLeaseSettings } from '@gatehouse/api-types/console/cloud-engines';
import { Banner } from '@gatehouse/ui/banner';
import { createFileRoute, getRouteApi } from '@tanstack/react-router';
import { cloudCrumbs, cloudRolesHref } from '#components/places/cloud.ts';
import { DetailCard } from '#components/record/DetailCard.tsx';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { queryClient } from '#lib/query-client.ts';
import { cloudLeaseSettingsQuery } from '#queries/cloud.ts';
import { leaseKind } from '../../-settings/settings-kinds.tsx';

export const Route = createFileRoute('/$environment/cloud/$mount/lease/')({
  loader: ({ params }) => {
    void queryClient.prefetchQuery(cloudLeaseSettingsQuery(params));
  },
  component: LeasePage,
});

const route = getRouteApi('/$environment/cloud/$mount/lease/');

/** Edits how long IAM users' leases last. */
function LeasePage() {
  const place = route.useParams();
  const { mount } = place;
  const here = cloudRolesHref(place);
  return (
    <EditRecord
      kind={leaseKind}
      address={mount}
      icon={leaseKind.icon}
      title={() => 'Lease settings'}
      pageTitle={() => `Lease settings of ${mount}`}
      ancestors={cloudCrumbs(place)}
      hrefOf={() => here}
      listHref={here}
      readOnly={(settings, reason) => <ReadLease settings={settings} reason={reason} />}
    />
  );
}

function ReadLease({ settings, reason }: { settings: CloudLeaseSettings; reason: string }) {
  const unset = settings.configured ? undefined : 'Server limit';
  return (
    <div className="flex max-w-180 flex-col gap-4 overflow-y-auto p-4 wide:p-6">
      <Banner tone="info" title="Read-only" announce="none">
        {reason}
      </Banner>
      <DetailCard
        title="Leases of IAM users"
        items={[
          { label: 'Lease', value: unset ?? settings.lease },
          { label: 'Maximum lease', value: unset ?? settings.lease_max },
        ]}
      />
    </div>
  );
}
