import type { Answer, Handler, Route } from '../../core/backend.ts';

/** The word of the `kv` command line for what is asked. */
const commands = {
  create: 'put',
  update: 'put',
  read: 'get',
  patch: 'patch',
  delete: 'delete',
  list: 'list',
} as const;

const notFound = (warning: string): Answer => ({ status: 404, warnings: [warning] });
const everywhere = (handler: Handler): Route['operations'] => ({
  read: handler,
  update: handler,
  patch: handler,
  delete: handler,
});
const atRoot = everywhere(() =>
  notFound('Non-listing operations on the root of a K/V v2 mount are not supported.'),
);
const elsewhere: Handler = ({ operation }) =>
  notFound(
    'Invalid path for a versioned K/V secrets engine. See the API docs for the appropriate API endpoints to use. ' +
      `If using the OpenBao CLI, use 'bao kv ${commands[operation]}' for this operation.`,
  );

/** The first words of paths alone, without a slash behind them: who asks forgot the key. @param list lists all keys */
export function rootRoutes(list: Handler): readonly Route[] {
  return [
    ...['data', 'delete', 'undelete', 'destroy'].map((path) => ({ path, operations: atRoot })),
    { path: 'metadata', operations: { ...atRoot, list } },
  ];
}

/** Every other path: who asks takes the engine for one without versions. */
export const unknownPath: Route = { path: '*', operations: { ...everywhere(elsewhere), list: elsewhere } };
