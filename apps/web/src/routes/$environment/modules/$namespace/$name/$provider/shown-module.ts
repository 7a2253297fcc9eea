import type {
  Module,
  ModuleFolder,
  ModuleVersion,
  VersionChoice,
} from '@gatehouse/api-types/console/modules';
import type { ModulePlace } from '#queries/modules.ts';
import type { ModuleSearch } from './module-search.ts';

/** What the page of a module shows, for its parts. */
export interface ShownModule {
  readonly place: ModulePlace;
  readonly module: Module;
  readonly version: ModuleVersion;
  /** The module itself, a submodule or an example; null where the archive could not be read. */
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
