import type {
  Module,
  ModuleFolder,
  ModuleVersion,
  VersionChoice,
} from '@gatehouse/api-types/console/modules';
import { moduleHref } from '#components/places/modules.ts';
import { decoded } from '#lib/decoded.ts';
import type { ModulePlace } from '#queries/modules.ts';
import type { ModuleSearch } from './module-search.ts';

/** What the page of a module shows, for its parts. */
export interface ShownModule {
  readonly place: ModulePlace;
  readonly module: Module;
  readonly version: ModuleVersion;
  /** Root module, a submodule or an example; null where the archive could not be read. */
  readonly folder: ModuleFolder | null;
  readonly search: ModuleSearch;
}

/** The version that is shown where none is asked for: the latest, or the newest that was not revoked. */
export function versionToShow({ latest, versions }: Module): string | undefined {
  const isUsable = ({ deprecation }: VersionChoice): boolean => deprecation?.state !== 'revoked';
  return latest ?? (versions.find(isUsable) ?? versions[0])?.version;
}

/** The version before one, of those that may be used; any, where there is no such. */
export function versionBefore({ versions }: Module, version: string): string | undefined {
  const older = versions.slice(versions.findIndex((choice) => choice.version === version) + 1);
  return (older.find(({ deprecation }) => deprecation?.state !== 'revoked') ?? older[0])?.version;
}

/** The folder that the address names; undefined where the version does not have it. */
export function folderAt(
  { content }: ModuleVersion,
  path: string | undefined,
): ModuleFolder | null | undefined {
  if (path === undefined) return content.root;
  return [...content.submodules, ...content.examples].find((folder) => folder.path === path);
}

/** Whether what is shown is the root of a module that is used by its submodules alone. */
export function isRootOfSubmodules({ content }: ModuleVersion, folder: ModuleFolder | null): boolean {
  return folder?.path === '' && folder.empty && content.submodules.length > 0;
}

/** Repositories of which it is known what leads to a file. */
const repository = /^https:\/\/(?:github|gitlab)\.com(?:\/[\w.-]+){2,}$/;

/**
 * Where a relative link in a README leads: to a folder that the console shows, or to the file of the version in its repository.
 * @param from the folder of the README
 * @returns undefined where nothing is known of the file
 */
export function readmeLink(
  { place, version, search }: Pick<ShownModule, 'place' | 'version' | 'search'>,
  from: string,
  href: string,
): string | undefined {
  const root = 'https://archive.invalid';
  const url = URL.parse(href, `${root}/${from === '' ? '' : `${encodeURI(from)}/`}`);
  if (url?.origin !== root) return undefined;
  const path = url.pathname.replaceAll(/^\/|\/$/g, '');
  const folder = decoded(path).replace(/(?:^|\/)readme(?:\.md)?$/i, '');
  if (folderAt(version, folder === '' ? undefined : folder))
    return (
      moduleHref(place, { version: search.version, submodule: folder === '' ? undefined : folder }) + url.hash
    );
  const source = version.source.replace(/(?:\.git)?\/?$/, '');
  if (!repository.test(source)) return undefined;
  const tag = version.tag || `v${version.version}`;
  // As a segment of a path they would lead out of it.
  if (tag === '.' || tag === '..') return undefined;
  const blob = source.includes('//gitlab.com/') ? '-/blob' : 'blob';
  return `${source}/${blob}/${encodeURIComponent(tag)}/${path}${url.hash}`;
}
