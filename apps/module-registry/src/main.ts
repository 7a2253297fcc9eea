import { objectsFromEnvironment } from '@gatehouse/service-kit/object-store/configured';
import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService } from './app.ts';

/**
 * Starts the module registry without the other services. Reads GATEHOUSE_MODULES_PORT (8400), the variables of
 * `runAlone`, and for archives in an S3-compatible store those of service-kit's object-store/configured.ts.
 */
await runAlone({
  name: 'modules',
  title: 'The module registry',
  portVariable: 'GATEHOUSE_MODULES_PORT',
  defaultPort: 8400,
  async open({ dataDir, accounts, log, keys }) {
    const archives = await objectsFromEnvironment('MODULES', process.env);
    return createService({
      dataDir,
      accounts,
      log,
      ...(archives !== undefined && { archives }),
      ...(keys !== undefined && { keys }),
    });
  },
});
