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

/** What a module's page shows, passed to its parts. */
export interface ShownModule {
  readonly place: ModulePlace;
  readonly module: Module;
  readonly version: ModuleVersion;
  /** The root module, a submodule or an example; null if the archive could not be read. */
  readonly folder: ModuleFolder | null;
  readonly search: ModuleSearch;
}

/** The version shown by default: the latest, or the newest that isn't revoked. */
export function versionToShow({ latest, versions }: Module): string | undefined {
  const isUsable = ({ deprecation }: VersionChoice): boolean => deprecation?.state !== 'revoked';
  return latest ?? (versions.find(isUsable) ?? versions[0])?.version;
}

/** The newest older version that isn't revoked; a revoked one if all are. */
export function versionBefore({ versions }: Module, version: string): string | undefined {
  const older = versions.slice(versions.findIndex((choice) => choice.version === version) + 1);
  return (older.find(({ deprecation }) => deprecation?.state !== 'revoked') ?? older[0])?.version;
}

/** The folder in the address; undefined if the version doesn't have it. */
export function folderAt(
  { content }: ModuleVersion,
  path: string | undefined,
): ModuleFolder | null | undefined {
  if (path === undefined) return content.root;
  return [...content.submodules, ...content.examples].find((folder) => folder.path === path);
}

/** Whether the shown folder is the empty root of a module with submodules. */
export function isRootOfSubmodules({ content }: ModuleVersion, folder: ModuleFolder | null): boolean {
  return folder?.path === '' && folder.empty && content.submodules.length > 0;
}

/** Repositories with known file addresses. */
const repository = /^https:\/\/(?:github|gitlab)\.com(?:\/[\w.-]+){2,}$/;

/**
 * The target of a relative link in a README: a folder that the console shows, or the version's file in its repository.
 * @param from the README's folder
 * @returns undefined if the file's address is unknown
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
  // As path segments, they would leave the path.
  if (tag === '.' || tag === '..') return undefined;
  const blob = source.includes('//gitlab.com/') ? '-/blob' : 'blob';
  return `${source}/${blob}/${encodeURIComponent(tag)}/${path}${url.hash}`;
}
