/** Starts the console's server alone, from a configuration file: see docs/configuration.md. */
import { takeDataFolder } from '@gatehouse/service-kit/data-folder';
import { createLog } from '@gatehouse/service-kit/log';
import { listen } from '@gatehouse/service-kit/service';
import { createBff } from './app.ts';
import { ConfigError } from './config/config-error.ts';
import { settingsOf } from './config/environment.ts';
import { loadConfig } from './config/load.ts';

/** How long requests in progress may take after SIGTERM, in milliseconds. */
const drainDeadline = 10_000;

try {
  const settings = settingsOf(process.env);
  const config = loadConfig(settings.configFile, settings);
  const log = createLog({ service: 'console' });
  // Replicas with one PostgreSQL may share the folder.
  const folder = config.databaseUrl === undefined ? takeDataFolder(settings.dataDir) : undefined;
  const bff = await createBff({
    config,
    dataDir: settings.dataDir,
    ...(settings.webRoot !== undefined && { webRoot: settings.webRoot }),
    log,
  });
  const { host, port, tls } = config.console;
  const listening = await listen(bff.handler, { host, port, ...(tls !== undefined && { tls }) });
  log.info('listening', { address: listening.address });
  const stop = async (signal: string): Promise<void> => {
    log.info('stopping', { signal });
    bff.drain();
    await listening.drain(drainDeadline);
    await bff.close();
    folder?.release();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop(signal));
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}

function explain(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  return error instanceof Error ? `The console can't start: ${error.message}` : "The console can't start.";
}
