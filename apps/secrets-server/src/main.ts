import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService } from './app.ts';

/** Starts the secrets server alone: GATEHOUSE_SECRETS_PORT (8200), and the variables of `runAlone`. */
await runAlone({
  name: 'secrets',
  title: 'The secrets server',
  portVariable: 'GATEHOUSE_SECRETS_PORT',
  defaultPort: 8200,
  open: ({ dataDir, accounts, log, keys }) =>
    createService({
      dataDir,
      accounts,
      log,
      rateLimit: { authenticate: { burst: 30, perSecond: 0.5 } },
      ...(keys !== undefined && { keys }),
    }),
});
