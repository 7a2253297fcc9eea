import { createHash } from 'node:crypto';
import { compareVersions, isPrerelease } from '../domain/version-number.ts';

/** The result for a client. */
export interface Resolved {
  readonly version: string;
  /** The gzip archive. */
  readonly archive: Uint8Array;
  /** The client's warning about a version that shouldn't be used. */
  readonly warning: string | undefined;
}

/**
 * Does the same as a client for a registry's module: discovers the service, chooses the newest version that a
 * constraint allows, requests its location, which may be relative, and downloads it.
 * @param source `namespace/name/provider`
 * @param constraint such as `~> 1.2, != 1.2.5`; empty for any version
 * @param token sent to the registry, never with an archive
 * @throws Error naming the refused request
 */
export async function resolveModule(
  host: string,
  source: string,
  constraint: string,
  token?: string,
): Promise<Resolved> {
  const headers = new Headers(token === undefined ? [] : [['authorization', `Bearer ${token}`]]);
  const ask = async (url: URL): Promise<Response> => {
    const response = await fetch(url, { headers });
    if (!response.ok) throw new Error(`${url.pathname} returned ${response.status}`);
    return response;
  };
  const discovery = new URL('/.well-known/terraform.json', host);
  const services = (await (await ask(discovery)).json()) as { 'modules.v1': string };
  const base = new URL(services['modules.v1'], discovery);

  const { modules } = (await (await ask(new URL(`${source}/versions`, base))).json()) as Versions;
  const fitting = (modules[0]?.versions ?? []).filter(({ version }) => isAllowed(version, constraint));
  const chosen = fitting.toSorted((one, other) => compareVersions(one.version, other.version)).at(-1);
  if (chosen === undefined) throw new Error(`no version matches ${constraint}`);

  const download = new URL(`${source}/${chosen.version}/download`, base);
  const answer = (await ask(download)).headers;
  const location = answer.get('x-terraform-get') ?? answer.get('x-registry-get') ?? '';
  // Only locations with such a beginning are relative; others may have a downloader's syntax.
  const archive = new URL(location, /^\.{0,2}\//.test(location) ? download : undefined);
  const checksum = archive.searchParams.get('checksum');
  for (const own of ['archive', 'checksum']) archive.searchParams.delete(own);
  const fetched = await fetch(archive);
  if (!fetched.ok) throw new Error(`${archive.pathname} returned ${fetched.status}`);
  const bytes = await fetched.bytes();
  const digest = createHash('sha256').update(bytes).digest('hex');
  if (checksum !== null && checksum !== `sha256:${digest}`) throw new Error('the checksum is another one');
  return { version: chosen.version, archive: bytes, warning: chosen.deprecation?.reason };
}

interface Versions {
  readonly modules: readonly {
    readonly versions: readonly {
      readonly version: string;
      readonly deprecation?: { readonly reason: string };
    }[];
  }[];
}

/** Whether a version satisfies all parts of a constraint. */
function isAllowed(version: string, constraint: string): boolean {
  const parts = constraint === '' ? [] : constraint.split(',').map((part) => part.trim());
  const isNamed = parts.some((part) => /^(?:=\s*)?\d/.test(part) && part.replace(/^=\s*/, '') === version);
  if (isPrerelease(version)) return isNamed;
  return parts.every((part) => {
    const [, operator = '', bound = ''] = /^(~>|[<>!]?=?)\s*(\S+)$/.exec(part) ?? [];
    const numbers = bound.split('.');
    const order = compareVersions(version, [...numbers, '0', '0'].slice(0, 3).join('.'));
    switch (operator) {
      case '~>':
        // All given numbers but the last must be equal.
        return order >= 0 && version.startsWith(`${numbers.slice(0, -1).join('.')}.`);
      case '>':
        return order > 0;
      case '>=':
        return order >= 0;
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '!=':
        return order !== 0;
      default:
        return order === 0;
    }
  });
}
