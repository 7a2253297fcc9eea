import type { MembersInput } from '#components/form/record-form.ts';
import { dataOf, queryClient } from '#lib/query-client.ts';
import { mountsAndNamespacesQuery } from '#queries/replication.ts';

const mostFound = 50;

/** A picker of a primary's mounts and namespaces. It also accepts paths that don't exist yet. */
export function pathsInput(environment: string): MembersInput {
  return {
    kind: 'members',
    noun: { one: 'path', many: 'paths' },
    emptyText: 'No mount or namespace to replicate was found.',
    member: (path) => ({ value: path, label: path }),
    search: (text) => ({
      queryKey: [environment, 'secrets', 'replication', 'path-choices', text],
      queryFn: async () => {
        const { items, complete } = await dataOf(queryClient, mountsAndNamespacesQuery(environment));
        const wanted = text.replace(/^\/+|\/+$/g, '');
        const found = items.filter(({ path, local }) => !local && path.includes(wanted));
        const isNew = wanted !== '' && !items.some(({ path }) => path === wanted);
        return {
          choices: [
            ...found.slice(0, mostFound).map(({ path, kind, plugin }) => ({
              value: path,
              label: path,
              description: kind === 'namespace' ? 'Namespace' : [kind, plugin].filter(Boolean).join(' · '),
            })),
            ...(isNew
              ? [
                  {
                    value: wanted,
                    label: wanted,
                    description: complete ? 'Nothing exists there yet' : 'Nothing was found there',
                  },
                ]
              : []),
          ],
          more: found.length > mostFound,
        };
      },
    }),
  };
}
