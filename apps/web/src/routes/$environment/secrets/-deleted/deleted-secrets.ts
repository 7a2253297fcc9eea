/** What a walk for deleted versions found so far. */
import type { RecycleBinLine } from '@gatehouse/api-types/console/secret-scans';
import { counted } from '#lib/counted.ts';

export type DeletedSecret = Omit<Extract<RecycleBinLine, { kind: 'deleted' }>, 'kind'>;

export interface DeletedSecrets {
  readonly secrets: readonly DeletedSecret[];
  readonly denied: readonly string[];
  readonly foldersRead: number;
  readonly foldersWaiting: number;
  /** Secrets looked at. */
  readonly looked: number;
  readonly isLimited: boolean;
  /** Why it broke off, where the server said so. */
  readonly failure: string | undefined;
}

export const nothingDeleted: DeletedSecrets = {
  secrets: [],
  denied: [],
  foldersRead: 0,
  foldersWaiting: 0,
  looked: 0,
  isLimited: false,
  failure: undefined,
};

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
      case 'progress':
        next = {
          ...next,
          foldersRead: line.folders_read,
          foldersWaiting: line.folders_waiting,
          looked: line.secrets,
        };
        break;
      case 'end':
        next = {
          ...next,
          foldersRead: line.folders_read,
          foldersWaiting: 0,
          looked: line.secrets,
          isLimited: line.limited,
        };
        break;
      case 'failed':
        next = { ...next, failure: line.detail };
        break;
    }
  }
  return {
    ...next,
    secrets: secrets.length === 0 ? next.secrets : [...next.secrets, ...secrets],
    denied: denied.length === 0 ? next.denied : [...next.denied, ...denied],
  };
}

/** What is left to bring back when some versions of some secrets are back already. */
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

/** How far the walk is, in a sentence. */
export function walkInWords(
  state: 'running' | 'done' | 'stopped' | 'failed',
  { secrets, foldersRead, foldersWaiting, looked, isLimited }: DeletedSecrets,
): string {
  const seen = `${counted(looked, 'secret')} in ${counted(foldersRead, 'folder')}`;
  switch (state) {
    case 'running':
      return `Looked at ${seen}${foldersWaiting === 0 ? '' : `, ${counted(foldersWaiting, 'folder')} to go`}.`;
    case 'done':
      return isLimited
        ? `Stopped after ${secrets.length.toLocaleString('en')} finds. Look into a smaller folder for the others.`
        : `Looked at all ${seen}.`;
    case 'stopped':
      return `Stopped after ${seen}.`;
    case 'failed':
      return `Broke off after ${seen}.`;
  }
}
