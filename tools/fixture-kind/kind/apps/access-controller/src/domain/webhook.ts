import type { FieldFaults } from './refusal.ts';
import type { Resource } from './resource.ts';

/** An address that hears of what happens in a project. */
export interface Webhook extends Resource {
  /** `whk_…`. */
  readonly id: string;
  readonly projectId: string;
  readonly address: string;
  /** What it hears of, sorted; of nothing when empty. */
  readonly events: readonly string[];
  /** Tells whether the token is the same as another time, and nothing else about it. */
  readonly fingerprint: string;
  /** The token, encrypted for this webhook alone. */
  readonly sealed: Uint8Array;
}

/** Prefix of the ids of webhooks. */
export const webhookPrefix = 'whk';

/** What a webhook can hear of. */
const events = ['session-started', 'session-ended', 'target-changed'];

/** Fields to set. A missing one stays; null clears it. */
export interface WebhookChange {
  readonly address: string | null | undefined;
  readonly token: string | null | undefined;
  readonly events: readonly string[] | null | undefined;
}

/** Notes what is wrong with a change. @param isNew whether what it needs must be there */
export function checkWebhook(change: WebhookChange, isNew: boolean, faults: FieldFaults): void {
  for (const name of ['address', 'token'] as const) {
    const value = change[name];
    if (value === undefined && !isNew) continue;
    if ((value ?? '').trim() === '') faults.add(name, 'This is a required field.');
  }
  if (change.address && !URL.canParse(change.address)) faults.add('address', 'This is not a URL.');
  const foreign = change.events?.find((event) => !events.includes(event));
  if (foreign !== undefined) faults.add('events', `There is no event "${foreign}".`);
}
