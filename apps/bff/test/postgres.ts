import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@gatehouse/service-kit/temporary-folder';
import pg from 'pg';

/**
 * A PostgreSQL cluster on a Unix socket, in a folder that is deleted with it. Only the role `guarded` needs a password.
 */
export interface Postgres {
  /** Creates an empty database. Resolves to its address. */
  database(): Promise<string>;
  close(): Promise<void>;
}

/** Makes all leases in a database older, which its own clock judges. @param ms milliseconds */
export async function ageLeases(databaseUrl: string, ms: number): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  for (const table of ['move', 'publish_upload', 'turn'])
    await client.query(`UPDATE ${table} SET lease_until = lease_until - ${ms}`);
  await client.end();
}

/**
 * Starts a cluster with the machine's own PostgreSQL.
 * @returns undefined, with one prominent line, if the machine has none
 */
export async function startPostgres(): Promise<Postgres | undefined> {
  const bin = programFolder();
  const user = unprivileged();
  if (bin === undefined || user === undefined) {
    process.stderr.write(
      '\n*** NOT TESTED: PostgreSQL is not installed here; the store is tested on SQLite alone. ***\n\n',
    );
    return undefined;
  }
  const folder = temporaryFolder();
  const data = folder.file('data');
  mkdirSync(data);
  if (user.as !== undefined)
    for (const path of [folder.path, data]) chownSync(path, user.as.uid, user.as.gid);
  const options = { ...user.as, cwd: folder.path, env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' } };
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'console', '-A', 'trust', '-N', '-E', 'UTF8'],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${String(made.stderr)}`);
  writeFileSync(join(data, 'pg_hba.conf'), 'local all guarded scram-sha-256\nlocal all all trust\n');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-k', folder.path, '-c', 'listen_addresses=', '-c', 'fsync=off', '-c', 'max_connections=50'],
    {
      ...options,
      stdio: 'ignore',
    },
  );
  const url = (name: string): string => `postgres://console@/${name}?host=${encodeURIComponent(folder.path)}`;
  await answering(url('postgres'));
  let count = 0;
  return {
    async database() {
      const name = `console_${++count}`;
      const client = new pg.Client(url('postgres'));
      await client.connect();
      await client.query(`CREATE DATABASE ${name}`);
      await client.end();
      return url(name);
    },
    async close() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      folder[Symbol.dispose]();
    },
  };
}

/** Waits until the cluster answers, for at most half a minute. */
async function answering(url: string): Promise<void> {
  for (const deadline = performance.now() + 30_000; ;) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
    }
  }
}

function programFolder(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...(existsSync(debian) ? readdirSync(debian).map((version) => join(debian, version, 'bin')) : []),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** PostgreSQL doesn't run as root, so the user of Debian's package runs it, or nobody. */
function unprivileged(): { readonly as?: { readonly uid: number; readonly gid: number } } | undefined {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    const id = spawnSync('id', ['-u', name]).stdout?.toString().trim();
    const group = spawnSync('id', ['-g', name]).stdout?.toString().trim();
    if (/^\d+$/.test(id) && /^\d+$/.test(group)) return { as: { uid: Number(id), gid: Number(group) } };
  }
  return undefined;
}
