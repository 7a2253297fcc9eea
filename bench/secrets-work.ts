/** What the benchmark does to secrets: directly, and through the console. */
import { request } from 'undici';
import { environment, headersOfSession } from './console.ts';
import type { Request, Work } from './load.ts';

const value = 'v'.repeat(1024);
const dataBody = `{"data":{"password":"${value}"}}`;
const jsonType = { 'content-type': 'application/json' };
const secretsOfConsole = `/api/environments/${environment}/secrets/mounts/secret`;
/** The secret that all reads are of. */
const readPath = 'bench/read';

/** Reads one secret over and over. */
export function readDirectly(token: string): Work {
  return always({
    method: 'GET',
    path: `/v1/secret/data/${readPath}`,
    headers: { 'x-vault-token': token },
  });
}

/** Writes the next version of a secret, each connection one of its own. */
export function writeDirectly(token: string): Work {
  const headers = { 'x-vault-token': token, ...jsonType };
  return {
    next: (slot) => ({
      method: 'POST',
      path: `/v1/secret/data/bench/direct-${slot}`,
      headers,
      body: dataBody,
    }),
    answered: nothing,
  };
}

/** Writes secrets that do not exist yet, a hundred in a folder, ten folders in a folder. Their number grows with the work. */
export function plant(token: string): Work {
  const headers = { 'x-vault-token': token, ...jsonType };
  let number = 0;
  return {
    next() {
      const digits = String(number).padStart(5, '0');
      const folder = `${digits.slice(0, -4)}/${digits.at(-4)}/${digits.at(-3)}`;
      const name = digits.slice(-2);
      number += 1;
      return {
        method: 'POST',
        path: `/v1/secret/data/tree/${folder}/key-${name}`,
        headers,
        body: '{"data":{"password":"x"}}',
      };
    },
    answered: nothing,
  };
}

/** Reads what the page shows first: names of fields without their values, and what the person may do. */
export function readMasked(cookie: string): Work {
  return always({ method: 'GET', path: consolePath(readPath), headers: headersOfSession(cookie) });
}

/** Reveals the values, which the audit trail records. */
export function reveal(cookie: string): Work {
  return always({
    method: 'POST',
    path: `${consolePath(readPath)}/reveal`,
    headers: { ...headersOfSession(cookie), ...jsonType },
    body: '{}',
  });
}

/** Writes a secret upon the version that was seen last, each connection one of its own. Their first versions must exist. */
export function update(cookie: string): Work {
  const headers = { ...headersOfSession(cookie), ...jsonType };
  const revisions: number[] = [];
  const body = JSON.stringify({ data: `{"password":"${value}"}` });
  return {
    next: (slot) => ({
      method: 'PUT',
      path: consolePath(guardedSecret(slot)),
      headers: { ...headers, 'if-match': `"${revisions[slot] ?? 1}"` },
      body,
    }),
    answered(slot) {
      revisions[slot] = (revisions[slot] ?? 1) + 1;
    },
  };
}

/** Path of a search below the console's origin. */
export function searchPath(text: string): string {
  return `${secretsOfConsole}/search?text=${encodeURIComponent(text)}&limit=10000`;
}

/** What the secrets server says to a read and to a write. */
export interface Answers {
  readonly read: string;
  readonly write: string;
}

/** Writes the first versions that the work takes for granted, for so many connections. */
export async function prepare(origin: string, token: string, connections: number): Promise<Answers> {
  const send = async (method: 'GET' | 'POST', path: string): Promise<string> => {
    const answer = await request(`${origin}/v1/secret/data/${path}`, {
      method,
      headers: { 'x-vault-token': token, ...jsonType },
      ...(method === 'POST' && { body: dataBody }),
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${method} ${path}: ${text}`);
    return text;
  };
  const write = await send('POST', readPath);
  for (let slot = 0; slot < connections; slot += 1) await send('POST', guardedSecret(slot));
  return { read: await send('GET', readPath), write };
}

function guardedSecret(slot: number): string {
  return `bench/console-${slot}`;
}

function consolePath(path: string): string {
  return `${secretsOfConsole}/secrets/${encodeURIComponent(path)}`;
}

function always(sent: Request): Work {
  return { next: () => sent, answered: nothing };
}

function nothing(): void {}
