import { sendJson } from '@gatehouse/service-kit/http';
import { requireOn } from '../../domain/permissions.ts';
import { FieldFaults } from '../../domain/refusal.ts';
import { webhookPrefix } from '../../domain/webhook.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireCaller } from '../caller.ts';
import type { Operation } from '../context.ts';
import { pathId } from '../path-id.ts';
import { webhooks } from './kind.ts';

/** POST /v1/webhooks/{id}:silence: it hears of nothing more, if `version` is the current one. */
export const silenceWebhook: Operation = async (context, req, res) => {
  const { role } = requireCaller(context, req);
  const id = pathId(req, webhookPrefix);
  const faults = new FieldFaults();
  const version = new MemberReader(readObject(req), faults).version();
  faults.refuseAny();
  requireOn('webhook', role, 'silence');
  const silent = await context.webhooks.change(id, version ?? 0, (current) =>
    current.events.length === 0 ? current : { ...current, events: [], updatedTime: context.clock.now() },
  );
  sendJson(res, 200, webhooks.toWire(context, role)(silent));
};
