import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { webhooks } from '#upstreams/access-controller/webhooks.ts';

export const silenceWebhook: Operation<'webhooks.silence'> = audited(
  { became: changed(webhooks, ({ events }) => events.length === 0) },
  async (context, call) => {
    const { params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    return guardedWrite({
      ...storedRecord(webhooks, caller, params.id, note),
      expected: revision,
      send: () => webhooks.act(caller, params.id, 'silence', { version }),
      equalsSent: ({ events }) => events.length === 0,
      readFirst: false,
    });
  },
);
