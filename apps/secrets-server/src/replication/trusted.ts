import { X509Certificate } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { getSystemErrorMessage } from 'node:util';
import { badRequest } from '../core/refusal.ts';

/** The authorities that a server's certificate is checked with. */
export interface Trusted {
  /** PEM. */
  readonly authorities: readonly string[];
  /** Where they are from, for people: `the certificates of /etc/ca.pem`. */
  readonly from: string;
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * Reads the authorities of a file or of a folder's files, both on this server.
 * @param file PEM; empty for none
 * @param folder of PEM files; empty for none
 * @throws Refusal 400 that names the file or folder and what is wrong with it
 */
export async function readTrusted(file: string, folder: string): Promise<Trusted> {
  if (file !== '' && folder !== '') throw badRequest('ca_file and ca_path cannot be used together');
  if (file !== '') {
    const authorities = await certificatesOf(file, 'ca_file');
    if (authorities.length === 0) throw badRequest(`ca_file ${file}: it has no PEM certificate`);
    return { authorities, from: `the certificates of ${file}` };
  }
  if (folder === '') {
    // What Node brings with it, and what was added to it, is trusted as everywhere in this server.
    const authorities = [...getCACertificates('default'), ...getCACertificates('system')];
    return { authorities, from: "the system's certificates" };
  }
  const authorities: string[] = [];
  for (const name of await filesOf(folder)) {
    authorities.push(...(await certificatesOf(join(folder, name), 'ca_path')));
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

async function certificatesOf(file: string, parameter: string): Promise<string[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw unreadable(error, parameter, file);
  }
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
