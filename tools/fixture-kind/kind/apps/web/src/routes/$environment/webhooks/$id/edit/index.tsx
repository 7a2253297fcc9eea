import { createFileRoute } from '@tanstack/react-router';
import { EditRecord } from '#components/record/EditRecord.tsx';
import { usePlaces } from '#components/record/placed-kind.ts';
import { shownWebhooks } from '../../shown-webhooks.ts';
import { webhookKind } from '../../webhook-kind.ts';

export const Route = createFileRoute('/$environment/webhooks/$id/edit/')({ component: EditWebhookPage });

function EditWebhookPage() {
  return <EditRecord {...usePlaces(shownWebhooks)} kind={webhookKind} address={Route.useParams().id} />;
}
