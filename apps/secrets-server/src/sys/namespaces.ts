import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Request, Route } from '../core/backend.ts';
import { checkPairs, mapField } from '../core/fields.ts';
import { mapText } from '../core/json/map-text.ts';
import { inPages, listPart } from '../core/list-names.ts';
import { badRequest, notFound } from '../core/refusal.ts';
import {
  parseCustomMetadata,
  patchCustomMetadata,
  type CustomMetadata,
} from '../domain/kv/custom-metadata.ts';
import { longestNamespace, namespaceName } from '../domain/namespace.ts';
import { checkPolicyFolders } from '../domain/policy/initial-policies.ts';
import type { Identity } from '../identity/identity.ts';
import type { MountTableStore } from '../store/mounts.ts';
import type { Namespace } from '../store/namespaces.ts';
import { endLeases, removeMounts } from './end-leases.ts';

/** The maximum size of a namespace's custom metadata, in bytes. */
const mostMetadata = 8192;

/** sys/namespaces: parts of the server with their own mounts, policies and tokens. */
export function namespaceRoutes(identity: Identity, mounts: MountTableStore): Route[] {
  const { namespaces } = identity;
  const pathOf = ({ namespace }: Request, path: string): string => `${namespace}${trimSlashes(path)}/`;
  const wire = ({ path, id, uuid }: Namespace): Readonly<Record<string, unknown>> => ({
    id,
    path,
    uuid,
    custom_metadata: namespaces.metadata(path),
  });
  const at = (request: Request, path: string): Namespace | undefined => namespaces.get(pathOf(request, path));

  return [
    {
      path: 'namespaces',
      operations: {
        list: async (request) => {
          const { namespace, giveWay } = request;
          const { after, limit } = listPart(request);
          const below = (child: Namespace): string => child.path.slice(namespace.length);
          const rest = namespaces.children(namespace).filter((child) => below(child) > after);
          const children = limit > 0 ? rest.slice(0, limit) : rest;
          if (children.length === 0) return undefined;
          const entries = function* () {
            for (const child of children) yield [below(child), wire(child)] as const;
          };
          return {
            data: { keys: children.map(below), key_info: await mapText(entries(), giveWay, inPages) },
          };
        },
      },
    },
    {
      path: 'namespaces/*path',
      fields: ['custom_metadata'],
      forwarded: true,
      canonical: ({ path = '' }) => `namespaces/${trimSlashes(path)}`,
      about: (request, { path = '' }) => {
        const namespace = pathOf(request, path);
        // Deleting it deletes everything in it.
        const within = request.operation === 'delete' ? mounts.list(namespace) : [];
        return [
          { namespace },
          ...within
            .filter(({ id }) => id !== 0)
            .map((mount) => ({ namespace, mount: mount.path, isLocal: mount.local })),
        ];
      },
      operations: {
        read: (request, { path = '' }) => {
          const namespace = at(request, path);
          if (namespace === undefined) throw notFound();
          return { data: wire(namespace) };
        },
        update: async (request, { path = '' }) => ({ data: wire(await create(identity, request, path)) }),
        patch: async (request, { path = '' }) => {
          const namespace = at(request, path);
          if (namespace === undefined) throw notFound();
          const patch = mapField(request.body, 'custom_metadata') ?? {};
          await namespaces.change(namespace, (now) =>
            checkedSize(patchCustomMetadata(new Map(Object.entries(now)), patch)),
          );
          return { data: wire(namespace) };
        },
        delete: async (request, { path = '' }) => {
          const namespace = at(request, path);
          if (namespace === undefined)
            return { data: null, warnings: ['requested namespace does not exist'] };
          if (namespaces.children(namespace.path).length > 0)
            throw badRequest(`cannot delete namespace (${namespace.path}): it contains other namespaces`);
          await deleteNamespace(identity, mounts, namespace, request.now);
          // The only status that clients know. It is that of servers that continue deleting after the answer.
          return { data: { status: 'in-progress' } };
        },
      },
    },
  ];
}

async function create(
  { namespaces, policies }: Identity,
  { namespace: parent, body }: Request,
  given: string,
): Promise<Namespace> {
  const path = `${parent}${namespaceName(given)}/`;
  const customMetadata = checkedSize(parseCustomMetadata(mapField(body, 'custom_metadata') ?? {}));
  const known = namespaces.get(path);
  if (known !== undefined) {
    await namespaces.change(known, () => customMetadata);
    return known;
  }
  if (path.length > longestNamespace)
    throw badRequest(`namespace path longer than ${longestNamespace} characters`);
  checkPolicyFolders(path);
  return namespaces.add(path, customMetadata, (tx) => policies.addInitial(tx, path));
}

/**
 * Deletes a namespace with everything in it; called again, it resumes an interrupted deletion.
 * @throws Refusal 400 with the leases that could not be revoked; the namespace then stays, without its revoked leases
 */
export async function deleteNamespace(
  identity: Identity,
  mounts: MountTableStore,
  namespace: Namespace,
  now: number,
): Promise<void> {
  const { namespaces, policies, tokens, wrappings, leases, leaseStore } = identity;
  const { path } = namespace;
  const engines = mounts.list(path).filter(({ id }) => id !== 0);
  await removeMounts(leases, engines, () =>
    namespaces.remove(namespace, {
      async begin() {
        for (const mount of engines) await endLeases(leases, mount, now);
      },
      async clear() {
        await tokens.revokeOfNamespace(path, now);
        await leaseStore.endOfNamespace(path, now);
        await wrappings.removeOfNamespace(path);
        await mounts.clearNamespace(path);
      },
      within(tx) {
        mounts.removeNamespace(tx, path);
        policies.removeOfNamespace(tx, path);
      },
    }),
  );
  identity.sweep().catch(() => undefined);
}

/** @throws Refusal 400 for custom metadata that is too large for a namespace: a list contains that of all of them */
function checkedSize(notes: CustomMetadata): Readonly<Record<string, string>> {
  checkPairs([...notes], 'custom_metadata', mostMetadata);
  return Object.fromEntries(notes);
}
