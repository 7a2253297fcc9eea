/** The results of searching for deleted versions so far. */
import type { RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';
import type { ScanState } from '../use-scan.ts';
import { afterWalkLine, notBegun, walkInWords, type Walk } from '../walk.ts';

export type DeletedSecret = Omit<Extract<RecycleBinLine, { kind: 'deleted' }>, 'kind'>;

export interface DeletedSecrets extends Walk {
  readonly secrets: readonly DeletedSecret[];
}

export const nothingDeleted: DeletedSecrets = { ...notBegun, secrets: [] };

export function afterBinLines(before: DeletedSecrets, lines: readonly RecycleBinLine[]): DeletedSecrets {
  const secrets: DeletedSecret[] = [];
  const denied: string[] = [];
  let next = before;
  for (const line of lines) {
    switch (line.kind) {
      case 'deleted': {
        const { kind: _, ...secret } = line;
        secrets.push(secret);
        break;
      }
      case 'denied':
        denied.push(line.folder ? `${line.path}/` : line.path);
        break;
      default:
        next = afterWalkLine(next, line);
    }
  }
  return {
    ...next,
    secrets: secrets.length === 0 ? next.secrets : [...next.secrets, ...secrets],
    denied: denied.length === 0 ? next.denied : [...next.denied, ...denied],
  };
}

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

export function binWalkInWords(state: ScanState, found: DeletedSecrets): string {
  return walkInWords(
    state,
    found,
    () =>
      `Stopped after ${found.secrets.length.toLocaleString('en')} results. Search a smaller folder for the others.`,
  );
}
