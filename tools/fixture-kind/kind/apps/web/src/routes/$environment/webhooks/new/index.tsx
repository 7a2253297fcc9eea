import { createFileRoute } from '@tanstack/react-router';
import { NewPlaced } from '#components/record/NewPlaced.tsx';
import { shownWebhooks } from '../shown-webhooks.ts';
import { newWebhookForm } from '../webhook-kind.ts';

export const Route = createFileRoute('/$environment/webhooks/new/')({ component: NewWebhookPage });

function NewWebhookPage() {
  return (
    <NewPlaced
      kind={shownWebhooks}
      blankIn={(scope_id) => ({ scope_id, name: '', description: '', address: '', token: '', events: [] })}
      formIn={newWebhookForm}
      bodyOf={(values) => values}
    />
  );
}
