import { objectsFromEnvironment } from '@gatehouse/service-kit/object-store/configured';
import { runAlone } from '@gatehouse/service-kit/run-alone';
import { createService } from './app.ts';

/**
 * Starts the box registry alone: GATEHOUSE_BOXES_PORT (8300), GATEHOUSE_BOXES_PUBLIC_URL (where clients reach it, the
 * address that it listens on unless given), the variables of `runAlone`, and those of service-kit's object-store/configured.ts for images in
 * an S3-compatible store.
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
