import { trimSlashes } from '@gatehouse/service-kit/trim-slashes';
import type { Request, Result, Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { textField, textListField } from '../../core/fields.ts';
import { isForwarded } from '../../core/identity.ts';
import type { Mount } from '../../core/mount.ts';
import { badRequest, notFound } from '../../core/refusal.ts';
import { nameOf } from '../../replication/running/secondaries.ts';
import type { PathsFilter } from '../../store/replication/replication-store.ts';

const place = 'replication/performance';

/** The maximum number of paths in a filter. */
const mostPaths = 1000;

/**
 * sys/replication/performance/{primary,secondary}/…-filter: paths filters, and what they exclude. A secondary is
 * identified by its name or cluster ID.
 */
export function replicationFilterRoutes(context: Context): Route[] {
  const { replication } = context;
  return [
    {
      path: `${place}/primary/paths-filter/:id`,
      fields: ['mode', 'paths'],
      operations: {
        read: (_, { id = '' }) => {
          const filter = replication.filterOf(id);
          if (filter === undefined) throw notFound();
          return { data: { mode: filter.mode, paths: filter.paths } };
        },
        update: async (request, { id = '' }) => {
          const filter = filterOf(request);
          await replication.saveFilter(id, filter);
          const warnings = warningsOf(context, filter);
          return warnings.length === 0 ? undefined : { warnings };
        },
        delete: async (_, { id = '' }) => {
          await replication.saveFilter(id, undefined);
          return undefined;
        },
      },
    },
    {
      path: `${place}/primary/dynamic-filter/:id`,
      operations: { read: (_, { id = '' }) => excludedWire(context, id) },
    },
    {
      path: `${place}/secondary/dynamic-filter/:id`,
      // Only the primary knows the mounts and namespaces that a secondary does not receive.
      forwarded: () => true,
      operations: {
        read: ({ caller }, { id = '' }) => {
          if (!isForwarded(caller))
            throw badRequest("this cluster isn't a secondary, so no filter applies to it");
          const name = nameOf({ id: caller.secondary });
          const own = replication.view.known.find((known) => nameOf(known) === name);
          if (id !== name && id !== own?.clusterId)
            throw badRequest(`"${id}" is neither the identifier nor the cluster id of this secondary`);
          return excludedWire(context, name);
        },
      },
    },
  ];
}

function excludedWire({ replication }: Context, id: string): Result {
  const { mounts, namespaces } = replication.store.excluded(replication.filterOf(id));
  return { data: { dynamic_filtered_mounts: mounts, dynamic_filtered_namespaces: namespaces } };
}

function filterOf({ body }: Request): PathsFilter {
  const mode = (textField(body, 'mode') ?? '') || 'allow';
  if (mode !== 'allow' && mode !== 'deny') throw badRequest(`mode is "${mode}": it must be allow or deny`);
  const paths = (textListField(body, 'paths') ?? []).map(folder);
  if (paths.length > mostPaths) throw badRequest(`more than ${mostPaths} paths`);
  return { mode, paths: [...new Set(paths)].toSorted() };
}

/** Normalizes a path from the root namespace to one trailing slash. @throws Refusal 400 if the path is the root */
function folder(path: string): string {
  const inner = trimSlashes(path);
  if (inner === '') throw badRequest('a path is empty');
  return `${inner}/`;
}

/** Warnings about paths of a filter that have no effect. */
function warningsOf({ mounts, namespaces }: Context, { paths }: PathsFilter): readonly string[] {
  const others = paths.filter((path) => !namespaces.has(path));
  const found = others.map((path) => ({ path, mount: mountAt(mounts, namespaces, path) }));
  const kept = others.filter((path) => /(?:^|\/)(?:sys|identity|cubbyhole|auth\/token)\//.test(path));
  const missing = found.flatMap(({ path, mount }) =>
    mount === undefined && !kept.includes(path) ? [path] : [],
  );
  const local = found.flatMap(({ path, mount }) => (mount?.local === true ? [path] : []));
  return [
    ...(kept.length === 0
      ? []
      : [
          `No filter concerns ${kept.join(', ')}: policies, plugins and settings are replicated to every secondary.`,
        ]),
    ...(missing.length === 0 ? [] : [`No mount or namespace exists at ${missing.join(', ')} yet.`]),
    ...(local.length === 0
      ? []
      : [`No secondary receives ${local.join(', ')}: local mounts aren't replicated.`]),
  ];
}

/** Finds the mount at a path from the root namespace. */
function mountAt(
  mounts: Context['mounts'],
  namespaces: Context['namespaces'],
  path: string,
): Mount | undefined {
  let namespace = '';
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (namespaces.has(path.slice(0, slash + 1))) namespace = path.slice(0, slash + 1);
  }
  return mounts.at(namespace, path.slice(namespace.length));
}
