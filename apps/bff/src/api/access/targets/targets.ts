import type { CredentialLibrary, TargetUsingSecret } from '@gatehouse/api-types/console/credential-libraries';
import type { Target } from '@gatehouse/api-types/console/targets';
import { leeway, cannotTell, ifOwn } from '#audit/became.ts';
import { guardedWrite, outcomeUnknown } from '#conflict/guarded-write.ts';
import { ProblemError } from '#ground/problem.ts';
import type { Context } from '#operation/context.ts';
import { resource, type Operation, audited, type WhatBecame } from '#operation/operation.ts';
import { accountOf } from '#session/people.ts';
import type { AuditRow } from '#store/schema.ts';
import { isAnswer, type AccessCaller } from '#upstreams/access-controller/client.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { fieldIs, fieldStarts } from '#upstreams/access-controller/filter-text.ts';
import { authorize, sessions } from '#upstreams/access-controller/sessions.ts';
import { targets, takesApplicationSources } from '#upstreams/access-controller/targets.ts';
import { changed, hasMembers } from '../became.ts';
import { inAccess, accessCaller } from '../caller.ts';
import { failedSourceProblem } from '../failed-source.ts';
import { linked, linkedWrite } from '../linked-targets.ts';
import { holdsChange } from '../membership.ts';
import { ownSecretsServer, pathOfSecret, pathsOfRole, secretOf } from '../read-secrets.ts';
import { createRecord, deleteRecord, getRecord, listRecords, updateRecord } from '../records.ts';
import { storedRecord, versionOf, whatFailed } from '../stored-record.ts';

const authorizeSessionByName: Operation<'accessSessions.authorizeByName'> = audited(
  { became: cannotTell },
  async (context, call) => {
    const caller = await accessCaller(context, call);
    const { name } = call.body;
    const authorized = await explained(caller, '', false, () => authorize(caller, name, call.body));
    call.note.saw({ id: authorized.target_id, name });
    return authorized;
  },
);

/** How long a controller keeps terminated sessions at least, in milliseconds. */
const terminatedKeptFor = 3_600_000;

/** Whether the user authorized a session on the target, and not by another request at about that time. */
const isAuthorized: WhatBecame = async (context, call, intent, wish) => {
  const { environment, person_id, action, time } = intent;
  const id = wish.params['id'] ?? '';
  const userId = await accountAt(context, intent);
  if (userId === undefined) return { outcome: 'unknown' };
  const page = await sessions.list(await accessCaller(context, call), {
    scope_id: 'global',
    recursive: true,
    include_terminated: true,
    filter: `${fieldIs('target_id', id)} and ${fieldIs('user_id', userId)}`,
  });
  if (!page.items.some(({ created_time }) => Math.abs(Date.parse(created_time) - time) <= leeway)) {
    const isListed = page.nextPageToken === undefined && context.clock.now() - time < terminatedKeptFor;
    return isListed ? ifOwn(intent, call, 'failed') : { outcome: 'unknown' };
  }
  const near = {
    from: new Date(time - 2 * leeway).toISOString(),
    to: new Date(time + 2 * leeway).toISOString(),
  };
  const filter = { environment, onlyOf: person_id, action, resource_id: id, ...near };
  const { entries } = await context.activity.list(filter, { limit: 2 }, call.slices);
  return { outcome: entries.length === 1 ? 'succeeded' : 'unknown' };
};

/** The account that an intent's user had at the access controller; undefined if that isn't known any more. */
async function accountAt(
  { connections }: Context,
  { session_id, environment, person_id, time }: AuditRow,
): Promise<string | undefined> {
  // A session keeps the account that it was begun with.
  if (person_id.startsWith(`${environment}/access/`)) return accountOf(person_id);
  const connection = (await connections.of(session_id)).find(
    (one) => one.environment === environment && one.service === 'access',
  );
  return connection !== undefined && connection.connected_at <= time ? connection.account_id : undefined;
}

const authorizeSession: Operation<'accessSessions.authorize'> = audited(
  { became: isAuthorized },
  async (context, call) => {
    const { id } = call.params;
    const caller = await accessCaller(context, call);
    // Names the target in the audit trail, and shows that a later 404 has another cause.
    const target = await targets.get(caller, id);
    call.note.saw({ id, name: target.name });
    return explained(caller, id, true, () => authorize(caller, id, { host_id: call.body.host_id }));
  },
);

const kinds = [
  'brokered_credential_source_ids',
  'injected_application_credential_source_ids',
  'application_credential_source_ids',
] as const;

const changeCredentialSources: Operation<'targets.changeCredentialSources'> = linkedWrite(
  audited({ became: changed(targets, hasMembers(...kinds)) }, async (context, call) => {
    const { body, params, revision, note } = call;
    const version = versionOf(revision);
    const caller = await accessCaller(context, call);
    const withApplication = await takesApplicationSources(caller, params.id);
    if (!withApplication && (body.application_credential_source_ids ?? []).length > 0) {
      const message =
        "This access controller doesn't support application credential sources. Use brokered ones.";
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
          // A controller clears the kinds that a set leaves out, so unchanged kinds are sent too.
          ...Object.fromEntries(
            sent.map((kind) => [kind, body[kind] ?? (body.action === 'set' ? (before?.[kind] ?? []) : [])]),
          ),
        }),
      equalsSent: (target) =>
        kinds.every((kind) => body[kind] === undefined || holdsChange(target[kind], body.action, body[kind])),
      // The unchanged kinds must be those of the revision that the user saw.
      readFirst: true,
    });
  }),
);

const changeHostSources: Operation<'targets.changeHostSources'> = linkedWrite(
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
      // Otherwise, adding a source that someone else has just added would be refused as a duplicate, not as a conflict.
      readFirst: true,
    });
  }),
);

/** The maximum number of stores, libraries, and targets. One more of each is read to find out whether there are more. */
const limit = 200;

const purposes = ['brokered', 'injected_application', 'application'] as const;

const targetsUsingSecret: Operation<'credentialLibraries.targetsUsingSecret'> = async (context, call) => {
  const caller = await accessCaller(context, call);
  const isOwn = ownSecretsServer(context.config, call.params.environment);
  if (isOwn === undefined) return { items: [], more: false };
  const { mount, path, role } = call.query;
  if (path !== undefined && role !== undefined) {
    throw new ProblemError(
      'invalid-request',
      'Send the path of a secret or the name of a cloud role, not both.',
    );
  }
  const filter =
    path !== undefined
      ? fieldIs('attributes/path', pathOfSecret({ mount, path }))
      : role === undefined
        ? fieldStarts('attributes/path', `${mount}/`)
        : pathsOfRole({ mount, role })
            .map((one) => fieldIs('attributes/path', one))
            .join(' or ');
  const everywhere = { scope_id: 'global', recursive: true };
  const stores = await allOf(
    credentialStores,
    caller,
    { ...everywhere, filter: fieldIs('type', 'vault') },
    limit + 1,
  );
  const libraries: CredentialLibrary[] = [];
  for (const store of stores.filter(isOwn)) {
    const query = { credential_store_id: store.id, filter };
    const found = await allOf(credentialLibraries, caller, query, limit + 1);
    libraries.push(...found.filter((library) => path === undefined || secretOf(library) !== undefined));
    if (libraries.length > limit) break;
  }
  const users = new Map<string, Target>();
  for (const { id, scope } of libraries.slice(0, limit)) {
    const filter = purposes
      .map((purpose) => `"${id}" in "/item/${purpose}_credential_source_ids"`)
      .join(' or ');
    for (const target of await allOf(targets, caller, { scope_id: scope.id, filter }, limit + 1))
      users.set(target.id, target);
    if (users.size > limit) break;
  }
  return {
    items: [...users.values()]
      .map((target) => toUser(target, libraries))
      .sort(byName)
      .slice(0, limit),
    more: [stores.length, libraries.length, users.size].some((count) => count > limit),
  };
};

export const targetOperations = resource(inAccess, {
  'targets.list': listRecords(targets),
  'targets.get': linked(getRecord(targets)),
  'targets.create': createRecord(targets),
  'targets.update': linkedWrite(
    // Some controllers store the address of a stale update and refuse only the rest.
    updateRecord(targets, { readFirst: ({ address }) => address !== undefined }),
  ),
  'targets.delete': deleteRecord(targets),
  'targets.changeHostSources': changeHostSources,
  'targets.changeCredentialSources': changeCredentialSources,
  'credentialLibraries.targetsUsingSecret': targetsUsingSecret,
  'accessSessions.authorize': authorizeSession,
  'accessSessions.authorizeByName': authorizeSessionByName,
});

function toUser(target: Target, libraries: readonly CredentialLibrary[]): TargetUsingSecret {
  return {
    id: target.id,
    name: target.name,
    type: target.type,
    scope: target.scope,
    libraries: purposes.flatMap((purpose) =>
      libraries
        .filter(({ id }) => target[`${purpose}_credential_source_ids`].includes(id))
        .map(({ id, name, credential_store_id }) => ({ id, name, credential_store_id, purpose })),
    ),
  };
}

function byName(a: TargetUsingSecret, b: TargetUsingSecret): number {
  return a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1);
}

/** Authorizes, and explains failures. @param found whether the target is known to exist */
async function explained<Result>(
  caller: AccessCaller,
  id: string,
  found: boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  const { environment, service } = caller.transport;
  try {
    return await work();
  } catch (error) {
    const failed = error instanceof ProblemError ? error.init.failedSource : undefined;
    if (failed !== undefined) throw await failedSourceProblem(caller, failed, error);
    if (found && isAnswer(error, 404)) {
      throw new ProblemError(
        'invalid-request',
        'The target has neither an address nor a host in its host sets, so there is nothing to connect to. Set an address, or add a host set that has a host.',
        { service, environment, cause: error },
      );
    }
    // A session may have been authorized. Its credentials are lost, and it ends when it expires.
    if (whatFailed(error) === 'unknown')
      throw outcomeUnknown({ resource: { environment, service, kind: 'target', id } }, error);
    throw error;
  }
}
