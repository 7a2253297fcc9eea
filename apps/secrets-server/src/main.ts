import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService, installationSeed } from './app.ts';
import { clusterListener } from './replication/running/cluster-listener.ts';

const pluginDirectory = process.env['GATEHOUSE_SECRETS_PLUGIN_DIR'];

/**
 * Starts the secrets server alone: GATEHOUSE_SECRETS_PORT (8200), GATEHOUSE_SECRETS_CLUSTER_PORT (8201) and
 * GATEHOUSE_SECRETS_CLUSTER_ADDR (where secondaries reach it; without one it listens for them on loopback alone),
 * GATEHOUSE_SECRETS_PLUGIN_DIR (no plugins' files unless given), and the variables of `runAlone`.
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
