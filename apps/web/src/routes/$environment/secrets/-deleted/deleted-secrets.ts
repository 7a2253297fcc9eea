import type { RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';

export type DeletedSecret = Extract<RecycleBinLine, { kind: 'deleted' }>;

/** The versions left to undelete, without those in `back`. */
export function withoutBack(
  secrets: readonly DeletedSecret[],
  back: ReadonlyMap<string, readonly number[]>,
): readonly DeletedSecret[] {
  if (back.size === 0) return secrets;
  return secrets.flatMap((secret) => {
    const own = back.get(secret.path);
    if (own === undefined) return [secret];
    const versions = secret.versions.filter(({ version }) => !own.includes(version));
    const newest = secret.newest && !own.includes(Number(secret.revision));
    return versions.length === 0 ? [] : [{ ...secret, versions, newest }];
  });
}
