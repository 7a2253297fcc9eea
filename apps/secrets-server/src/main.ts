import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService, installationSeed } from './app.ts';
import { clusterListener } from './replication/running/cluster-listener.ts';

const pluginDirectory = process.env['GATEHOUSE_SECRETS_PLUGIN_DIR'];

/**
 * Starts the secrets server on its own. Its environment variables are GATEHOUSE_SECRETS_PORT (8200),
 * GATEHOUSE_SECRETS_CLUSTER_PORT (8201), GATEHOUSE_SECRETS_CLUSTER_ADDR (the cluster address for secondaries; without
 * one it listens for them only on loopback), GATEHOUSE_SECRETS_PLUGIN_DIR (none by default), and those of `runAlone`.
 */
await runAlone({
  name: 'secrets',
  title: 'The secrets server',
  portVariable: 'GATEHOUSE_SECRETS_PORT',
  defaultPort: 8200,
  open: async ({ dataDir, accounts, log, keys, address }) =>
    createService({
      dataDir,
      cluster: clusterListener(process.env),
      apiAddress: address,
      seed: installationSeed,
      accounts,
      log,
      ...(keys !== undefined && { keys }),
      ...(pluginDirectory !== undefined && pluginDirectory !== '' && { pluginDirectory }),
    }),
});
