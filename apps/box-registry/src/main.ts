import { objectsFromEnvironment } from '@gatehouse/service-kit/object-store/configured';
import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService } from './app.ts';

/**
 * Starts the box registry without the other services. Reads GATEHOUSE_BOXES_PORT (8300), GATEHOUSE_BOXES_PUBLIC_URL
 * (the URL at which clients reach it; by default the address that it listens on), the variables of `runAlone`, and
 * for images in an S3-compatible store those of service-kit's object-store/configured.ts.
 */
await runAlone({
  name: 'boxes',
  title: 'The box registry',
  portVariable: 'GATEHOUSE_BOXES_PORT',
  defaultPort: 8300,
  async open({ dataDir, accounts, log, keys, address }) {
    const images = await objectsFromEnvironment('BOXES', process.env);
    return createService({
      dataDir,
      accounts,
      log,
      publicUrl: () => process.env['GATEHOUSE_BOXES_PUBLIC_URL'] ?? address(),
      ...(images !== undefined && { images }),
      ...(keys !== undefined && { keys }),
    });
  },
});
