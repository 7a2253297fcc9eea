import type { Webhook } from '@gatehouse/api-types/console/webhooks';
import { getRouteApi } from '@tanstack/react-router';
import { DeleteRecord } from '#components/record/DeleteRecord.tsx';
import { DetailCard, DetailCards, IdentityCard } from '#components/record/DetailCard.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { RecordDetail } from '#components/record/RecordDetail.tsx';
import { webhookKind } from '../webhook-kind.ts';

const route = getRouteApi('/$environment/webhooks/$id/');

/** One webhook, without its token. */
export function WebhookPage() {
  const { id } = route.useParams();
  return (
    <RecordDetail {...usePlaces(webhookKind, id)} kind={webhookKind} id={id} Deletion={DeleteWebhook}>
      {(webhook) => (
        <DetailCards>
          <DetailCard
            title="Delivery"
            items={[
              { label: 'Address', value: webhook.address, isMono: true, copyText: webhook.address },
              { label: 'Token', value: "Stored encrypted. You can't see it, but you can set a new one." },
              { label: 'Events', value: webhook.events.join(', ') },
            ]}
          />
          <IdentityCard item={webhook} />
        </DetailCards>
      )}
    </RecordDetail>
  );
}

/** Asks before it is deleted; nothing depends on one. */
function DeleteWebhook(props: { item: Webhook; onClose: (isGone: boolean) => void }) {
  return <DeleteRecord {...props} kind={webhookKind} address={props.item.id} impacts={[]} />;
}
