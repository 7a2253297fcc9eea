import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService } from './app.ts';

/**
 * Starts the access controller without the other services. Reads the port from GATEHOUSE_ACCESS_PORT (9200), and the
 * variables of `runAlone`.
 */
await runAlone({
  name: 'access',
  title: 'The access controller',
  portVariable: 'GATEHOUSE_ACCESS_PORT',
  defaultPort: 9200,
  open: ({ dataDir, accounts, log, keys }) =>
    createService({
      dataDir,
      accounts,
      log,
      ...(keys !== undefined && { keys }),
    }),
});
