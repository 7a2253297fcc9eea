/** The plugin catalog of the secrets server, and the mounts that run its plugins. */
import { addresses } from './address.ts';
import { recordAddresses } from './collection.ts';

const server = '/api/environments/:environment/secrets';
const collection = `${server}/plugins` as const;
const one = `${collection}/:plugin` as const;

export const plugins = {
  ...recordAddresses('plugins', 'plugin', collection, {
    id: 'plugin',
    // Registering a plugin decides which code the server runs.
    harms: { create: 'rights', update: 'rights' },
  }),
  ...addresses('plugins', {
    list: { method: 'GET', path: collection },
    pin: { method: 'PUT', path: `${one}/pin`, audit: 'plugin.pin', harm: 'stops' },
    unpin: { method: 'DELETE', path: `${one}/pin`, audit: 'plugin.unpin', harm: 'stops' },
    reload: { method: 'POST', path: `${one}/reload`, audit: 'plugin.reload', harm: 'stops' },
    tuneMount: {
      method: 'PUT',
      path: `${server}/plugin-mounts/:mount`,
      audit: 'plugin-mount.tune',
      harm: 'stops',
    },
  }),
};
