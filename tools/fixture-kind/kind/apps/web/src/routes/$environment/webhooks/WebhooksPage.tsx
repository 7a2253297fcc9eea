import { PlacedList } from '#components/record/PlacedList.tsx';
import { shownWebhooks } from './shown-webhooks.ts';

/** All webhooks that the person may see. */
export function WebhooksPage() {
  return (
    <PlacedList
      kind={shownWebhooks}
      empty={{
        about: 'A webhook is an address that hears of what happens in a project.',
        command: 'curl -d @webhook.json "$BOUNDARY_ADDR/v1/webhooks"',
      }}
    />
  );
}
