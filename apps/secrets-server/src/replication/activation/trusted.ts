import { X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { getSystemErrorMessage } from 'node:util';
import { badRequest } from '../../core/refusal.ts';
import type { Patience } from '../link/patience.ts';

/** The certificate authorities for checking a server's certificate. */
export interface Trusted {
  /** In PEM format. */
  readonly authorities: readonly string[];
  /** Their origin, for messages: `the certificates of /etc/ca.pem`. */
  readonly from: string;
}

/** The maximum size in bytes of a file, and of all files in a folder. Some hundred authorities are about 256 KiB. */
const mostBytes = 4 * 2 ** 20;
/** The total time limit in milliseconds. Reading can hang, for example on a network file system. */
const deadlineMs = 5000;

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities in a file or in a folder's files on this server.
 * @param file in PEM format; empty for none
 * @param folder of PEM files; empty for none
 * @throws Refusal 400 with the file or folder and the reason
 */
export async function readTrusted(file: string, folder: string, patience: Patience): Promise<Trusted> {
  if (file !== '' && folder !== '') throw badRequest('ca_file and ca_path cannot be used together');
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => {
      const place = file === '' ? `ca_path ${folder}` : `ca_file ${file}`;
      late.reject(badRequest(`${place}: it could not be read in time`));
    },
    Math.min(deadlineMs, patience.left()),
  );
  try {
    return await Promise.race([readAll(file, folder), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function readAll(file: string, folder: string): Promise<Trusted> {
  if (file !== '') {
    const authorities = certificatesOf(await textOf(file, 'ca_file', mostBytes), file, 'ca_file');
    if (authorities.length === 0) throw badRequest(`ca_file ${file} contains no PEM certificate`);
    return { authorities, from: `the certificates of ${file}` };
  }
  if (folder === '') {
    // Trusts Node's built-in authorities and those added to them, as elsewhere in this server.
    const authorities = [...getCACertificates('default'), ...getCACertificates('system')];
    return { authorities, from: "the system's certificates" };
  }
  const authorities: string[] = [];
  let left = mostBytes;
  for (const name of await filesOf(folder)) {
    const text = await textOf(join(folder, name), 'ca_path', left);
    left -= text.length;
    authorities.push(...certificatesOf(text, join(folder, name), 'ca_path'));
  }
  if (authorities.length === 0) throw badRequest(`ca_path ${folder}: no file in it has a PEM certificate`);
  return { authorities, from: `the certificates in ${folder}` };
}

async function filesOf(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries.filter((entry) => !entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    throw unreadable(error, 'ca_path', folder);
  }
}

/** Reads a regular file. Others, such as devices and pipes, may never end or even begin. */
async function textOf(file: string, parameter: string, most: number): Promise<string> {
  try {
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await handle.stat();
    if (!found.isFile()) throw badRequest(`${parameter} ${file}: it is not a regular file`);
    if (found.size > most)
      throw badRequest(`${parameter} ${file}: there are more than ${mostBytes / 2 ** 20} MB to read`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(found.size));
    return buffer.toString('latin1', 0, bytesRead);
  } catch (error) {
    throw unreadable(error, parameter, file);
  }
}

/** Extracts the certificates from a file's text. @param parameter that named the file or its folder */
function certificatesOf(text: string, file: string, parameter: string): readonly string[] {
  const found = text.match(certificate) ?? [];
  for (const pem of found) {
    try {
      void new X509Certificate(pem);
    } catch {
      throw badRequest(`${parameter} ${file}: one of its certificates cannot be read`);
    }
  }
  return found;
}

function unreadable(error: unknown, parameter: string, place: string): unknown {
  const errno = error instanceof Error && 'errno' in error ? error.errno : undefined;
  if (typeof errno !== 'number') return error;
  return badRequest(`${parameter} ${place}: ${getSystemErrorMessage(errno)}`);
}
