import type { Target } from '@gatehouse/api-types/console/targets';
import { guardedWrite } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import { audited, type Operation } from '#operation/operation.ts';
import { changed, hasMembers } from '#shared/access/became.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { linkedWrite } from '#shared/access/linked-targets.ts';
import { holdsChange } from '#shared/access/membership.ts';
import { storedRecord, versionOf } from '#shared/access/stored-record.ts';
import { targets, takesApplicationSources } from '#upstreams/access-controller/targets.ts';

const kinds = [
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
  'application_credential_source_ids',
] as const;

export const changeCredentialSources: Operation<'targets.changeCredentialSources'> = linkedWrite(
  audited({ became: changed(targets, hasMembers(...kinds)) }, async (context, call) => {
    const { body, params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    const withApplication = await takesApplicationSources(caller, params.id);
    if (!withApplication && (body.application_credential_source_ids ?? []).length > 0) {
      const message = 'This access controller has no application credential sources: use brokered ones.';
      throw new ProblemError('invalid-request', message, {
        service: 'access',
        environment: params.environment,
        fields: [{ path: 'application_credential_source_ids', message }],
      });
    }
    const sent = kinds.filter((kind) => withApplication || kind !== 'application_credential_source_ids');
    const stored = storedRecord(targets, caller, params.id, note);
    let before: Target | null = null;
    return guardedWrite({
      ...stored,
      read: async () => (before = await stored.read()),
      expected: revision,
      send: () =>
        targets.act(caller, params.id, `${body.action}-credential-sources`, {
          version,
          // A controller clears the kinds that a set leaves out: they are sent as they are.
          ...Object.fromEntries(
            sent.map((kind) => [kind, body[kind] ?? (body.action === 'set' ? (before?.[kind] ?? []) : [])]),
          ),
        }),
      equalsSent: (target) =>
        kinds.every((kind) => body[kind] === undefined || holdsChange(target[kind], body.action, body[kind])),
      // The kinds that are left as they are have to be those of the revision that the person saw.
      readFirst: true,
    });
  }),
);
