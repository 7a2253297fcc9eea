import { createInterface } from 'node:readline';
import { searchLine } from '@gatehouse/api-types/console/secret-scans';
import { request } from 'undici';
import { headersOfSession } from './console.ts';
import type { SecretsServers } from './secrets-servers.ts';
import { searchPath } from './secrets-work.ts';

/** What came of a recursive search. */
export interface Search {
  readonly secrets: number;
  readonly folders: number;
  readonly found: number;
  /** Seconds until the first find had arrived, and until the end. */
  readonly firstAfter: number;
  readonly endAfter: number;
  /** Seconds of CPU time of the console's server, and of the secrets server. */
  readonly consoleCpu: number;
  readonly secretsCpu: number;
}

/** Searches everything through the console. @throws Error when the walk did not come to its end */
export async function search(servers: SecretsServers, text: string): Promise<Search> {
  const { console: console_, secrets, cookie } = servers;
  const cpuTimes = () => Promise.all([console_.server.cpuTime(), secrets.server.cpuTime()]);
  const before = await cpuTimes();
  const started = performance.now();
  const answer = await request(`${console_.origin}${searchPath(text)}`, {
    headers: headersOfSession(cookie),
  });
  let firstAfter = Number.NaN;
  for await (const line of createInterface({ input: answer.body })) {
    const told = searchLine.parse(JSON.parse(line));
    const after = (performance.now() - started) / 1000;
    if (told.kind === 'match' && Number.isNaN(firstAfter)) firstAfter = after;
    if (told.kind !== 'end') continue;
    const [consoleCpu, secretsCpu] = await cpuTimes();
    return {
      secrets: told.secrets,
      folders: told.folders_read,
      found: told.found,
      firstAfter,
      endAfter: after,
      consoleCpu: (consoleCpu - before[0]) / 1e6,
      secretsCpu: (secretsCpu - before[1]) / 1e6,
    };
  }
  throw new Error(`The search failed: ${answer.statusCode}`);
}
