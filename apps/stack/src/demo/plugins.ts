import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { SecretsClient } from '../secrets-client.ts';

interface PlannedPlugin {
  readonly type: 'auth' | 'database' | 'secret';
  readonly name: string;
  readonly command: string;
  readonly version?: string;
  readonly args?: readonly string[];
  readonly env?: readonly string[];
  /** The present content of the file if it has changed since the registration; null if the file is missing. */
  readonly now?: string | null;
}

const planned: readonly PlannedPlugin[] = [
  {
    type: 'secret',
    name: 'artifactory',
    command: 'secrets-artifactory-1.8.0',
    version: 'v1.8.0',
    env: ['ARTIFACTORY_TIMEOUT=30s'],
  },
  { type: 'secret', name: 'artifactory', command: 'secrets-artifactory-1.9.1', version: 'v1.9.1' },
  { type: 'auth', name: 'github-actions', command: 'auth-github-actions', args: ['--audience=platform'] },
  // A newer binary has replaced the registered one.
  {
    type: 'database',
    name: 'clickhouse',
    command: 'database-clickhouse',
    version: 'v0.4.2',
    now: 'a newer build',
  },
  { type: 'database', name: 'opensearch', command: 'database-opensearch', version: 'v2.1.0', now: null },
];

/**
 * Registers plugins and writes their files to the plugin directory, some of which change afterwards. The server
 * compares the files but runs none.
 * @param client signed in as an administrator
 */
export async function registerPlugins(client: SecretsClient, directory: string): Promise<void> {
  fs.mkdirSync(directory, { recursive: true });
  for (const { type, name, command, version, args, env, now } of planned) {
    const file = path.join(directory, command);
    const binary = `sample binary of ${command}\n`;
    fs.writeFileSync(file, binary, { mode: 0o755 });
    await client.write(`sys/plugins/catalog/${type}/${name}`, {
      sha256: createHash('sha256').update(binary).digest('hex'),
      command,
      ...(version !== undefined && { version }),
      ...(args !== undefined && { args }),
      ...(env !== undefined && { env }),
    });
    if (now === null) fs.rmSync(file);
    else if (now !== undefined) fs.writeFileSync(file, now);
  }
}
