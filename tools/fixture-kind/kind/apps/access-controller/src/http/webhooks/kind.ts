import { newId } from '@gatehouse/service-kit/ids';
import { changedLabel } from '../../domain/label.ts';
import { allowedOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { checkWebhook, webhookPrefix } from '../../domain/webhook.ts';
import type { Webhook, WebhookChange } from '../../domain/webhook.ts';
import { MemberReader, isEmptyChange } from '../body.ts';
import type { JsonObject } from '../body.ts';
import type { Context } from '../context.ts';
import { inProject } from '../resource/kind.ts';
import type { ResourceKind } from '../resource/kind.ts';
import { readLabelChange, readNewLabel } from '../wire/label.ts';
import { wireResource } from '../wire/resource.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { checkNewType, checkSameType, staticType } from '../wire/static-type.ts';

/** /v1/webhooks. Tokens are taken and never answered. */
export const webhooks: ResourceKind<Webhook> = {
  type: 'webhook',
  prefixes: [webhookPrefix],
  container: inProject,
  store: (context) => context.webhooks,
  readNew(context, body, faults) {
    checkNewType(body, false, faults);
    const label = readNewLabel(body, faults);
    const given = readWebhook(body, faults);
    checkWebhook(given, true, faults);
    return ({ projectId, createdTime, updatedTime, version }) => {
      const id = newId(webhookPrefix);
      const token = sealedToken(context, id, given.token ?? '');
      const { address, events } = fieldsOf(given);
      return { id, projectId, ...label, address, events, ...token, createdTime, updatedTime, version };
    };
  },
  readChange(context, id, body, faults) {
    checkSameType(body, staticType, faults);
    const label = readLabelChange(body, faults);
    const given = readWebhook(body, faults);
    checkWebhook(given, false, faults);
    if (isEmptyChange({ ...label, ...given })) return undefined;
    const token = typeof given.token === 'string' ? sealedToken(context, id, given.token) : {};
    return (current) => ({
      ...current,
      ...changedLabel(current, label, new FieldFaults()),
      ...fieldsOf({
        address: given.address ?? current.address,
        events: given.events === undefined ? current.events : given.events,
      }),
      ...token,
    });
  },
  toWire(context, role) {
    const scopeOf = scopeSummaries(context.scopes);
    return (webhook) => ({
      ...wireResource(webhook, scopeOf(webhook.projectId)),
      scope_id: webhook.projectId,
      type: staticType,
      address: webhook.address,
      token_hmac: webhook.fingerprint,
      events: webhook.events,
      authorized_actions: allowedOn('webhook', role),
    });
  },
};

function readWebhook(body: JsonObject, faults: FieldFaults): WebhookChange {
  const members = new MemberReader(body, faults);
  return {
    address: members.string('address'),
    token: members.string('token'),
    events: members.strings('events'),
  };
}

function fieldsOf({ address, events }: Pick<WebhookChange, 'address' | 'events'>) {
  return { address: (address ?? '').trim(), events: [...new Set(events)].sort() };
}

function sealedToken({ vault }: Context, id: string, token: string) {
  return {
    fingerprint: vault.fingerprint(id, 'token', token),
    sealed: vault.sealText(`webhook/${id}`, token),
  };
}
