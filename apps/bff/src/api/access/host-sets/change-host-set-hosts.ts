import { guardedWrite } from '#conflict/guarded-write.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed, hasMembers } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { holdsChange } from '#shared/access/membership.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { hostSets } from '#upstreams/access-controller/host-sources.ts';

export const changeHostSetHosts: Operation<'hostSets.changeHosts'> = audited(
  { became: changed(hostSets, hasMembers('host_ids')) },
  async (context, call) => {
    const { body, params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    return guardedWrite({
      ...storedRecord(hostSets, caller, params.id, note),
      expected: revision,
      send: () =>
        hostSets.act(caller, params.id, `${body.action}-hosts`, { version, host_ids: body.host_ids }),
      equalsSent: ({ host_ids }) => holdsChange(host_ids, body.action, body.host_ids),
      // Adding what somebody else has added is refused for that, and not for the revision.
      readFirst: true,
    });
  },
);
