import type { Route } from '../../core/backend.ts';
import type { Context } from '../../core/context.ts';
import { textField } from '../../core/fields.ts';
import { notFound } from '../../core/refusal.ts';
import { namedPlugin } from './parameters.ts';

/** sys/plugins/pins: the version of a plugin that all its mounts must run. */
export function pinRoutes({ plugins: { pins } }: Context): Route[] {
  return [
    {
      path: 'plugins/pins',
      sudo: true,
      rootNamespaceOnly: true,
      operations: { read: () => ({ data: { pinned_versions: pins.list() } }) },
    },
    {
      path: 'plugins/pins/:type/:name',
      fields: ['version'],
      forwarded: true,
      sudo: true,
      rootNamespaceOnly: true,
      operations: {
        read: (_, params) => {
          const { type, name } = namedPlugin(params);
          const pin = pins.list().find((other) => other.type === type && other.name === name);
          if (pin === undefined) throw notFound();
          return { data: { ...pin } };
        },
        update: async ({ body }, params) => {
          await pins.pin({ ...namedPlugin(params), version: textField(body, 'version') ?? '' });
          return undefined;
        },
        delete: async (_, params) => {
          const { type, name } = namedPlugin(params);
          await pins.unpin(type, name);
          return undefined;
        },
      },
    },
  ];
}
