import type { CredentialLibrary, TargetUsingSecret } from '@gatehouse/api-types/console/credential-libraries';
import type { Target } from '@gatehouse/api-types/console/targets';
import { ProblemError } from '#ground/problem.ts';
import type { Operation } from '#operation/operation.ts';
import { accessCaller } from '#shared/access/caller.ts';
import { ownSecretsServer, pathOfSecret, pathsOfRole, secretOf } from '#shared/access/read-secrets.ts';
import { allOf } from '#upstreams/access-controller/collection.ts';
import { credentialLibraries } from '#upstreams/access-controller/credential-libraries.ts';
import { credentialStores } from '#upstreams/access-controller/credential-sources.ts';
import { fieldIs } from '#upstreams/access-controller/filter-text.ts';
import { targets } from '#upstreams/access-controller/targets.ts';

/** Stores, libraries of a store and targets that are looked at, at most. */
const limit = 200;

const purposes = ['brokered', 'injected_application', 'application'] as const;

export const targetsUsingSecret: Operation<'credentialLibraries.targetsUsingSecret'> = async (
  context,
  call,
) => {
  const caller = await accessCaller(context, call);
  const isOwn = ownSecretsServer(context.config, call.params.environment);
  if (isOwn === undefined) return { items: [], more: false };
  const { mount, path, role } = call.query;
  if ((path === undefined) === (role === undefined)) {
    throw new ProblemError('invalid-request', 'Name a secret by its path, or a cloud role.');
  }
  const wanted =
    path === undefined ? pathsOfRole({ mount, role: role ?? '' }) : [pathOfSecret({ mount, path })];
  const filter = wanted.map((one) => fieldIs('attributes/path', one)).join(' or ');
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
    const found = await allOf(credentialLibraries, caller, query, limit);
    libraries.push(...found.filter((library) => role !== undefined || secretOf(library) !== undefined));
  }
  const users = new Map<string, Target>();
  for (const { id, scope } of libraries) {
    const filter = purposes
      .map((purpose) => `"${id}" in "/item/${purpose}_credential_source_ids"`)
      .join(' or ');
    for (const target of await allOf(targets, caller, { scope_id: scope.id, filter }, limit))
      users.set(target.id, target);
  }
  return {
    items: [...users.values()]
      .map((target) => toUser(target, libraries))
      .sort(byName)
      .slice(0, limit),
    more: stores.length > limit || users.size > limit,
  };
};

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
