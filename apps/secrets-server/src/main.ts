import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService, installationSeed } from './app.ts';

const pluginDirectory = process.env['GATEHOUSE_SECRETS_PLUGIN_DIR'];

/**
 * Starts the secrets server alone: GATEHOUSE_SECRETS_PORT (8200), GATEHOUSE_SECRETS_PLUGIN_DIR (no plugins' files unless
 * given), and the variables of `runAlone`.
 */
await runAlone({
  name: 'secrets',
  title: 'The secrets server',
  portVariable: 'GATEHOUSE_SECRETS_PORT',
  defaultPort: 8200,
  open: ({ dataDir, accounts, log, keys }) =>
    createService({
      dataDir,
      seed: installationSeed,
      accounts,
      log,
      rateLimit: { authenticate: { burst: 30, perSecond: 0.5 } },
      ...(keys !== undefined && { keys }),
      ...(pluginDirectory !== undefined && pluginDirectory !== '' && { pluginDirectory }),
    }),
});
