import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed, hasMembers } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { linkedWrite } from '#shared/access/linked-targets.ts';
import { holdsChange } from '#shared/access/membership.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

export const changeHostSources: Operation<'targets.changeHostSources'> = linkedWrite(
  audited({ became: changed(targets, hasMembers('host_source_ids')) }, async (context, call) => {
    const { body, params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    return guardedWrite({
      ...storedRecord(targets, caller, params.id, note),
      expected: revision,
      send: () =>
        targets.act(caller, params.id, `${body.action}-host-sources`, {
          version,
          host_source_ids: body.host_source_ids,
        }),
      equalsSent: ({ host_source_ids }) => holdsChange(host_source_ids, body.action, body.host_source_ids),
      // Adding what somebody else has added is refused for that, and not for the revision.
      readFirst: true,
    });
  }),
);
