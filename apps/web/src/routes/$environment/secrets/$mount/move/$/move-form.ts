/** The form of a move or copy, checked as you type. */
import { pathProblem } from '@gatehouse/api-types/console/path-problem';
import type { Transfer } from '@gatehouse/api-types/console/secret-transfers';
import type { SecretMay } from '@gatehouse/api-types/console/secrets';
import { fullName, nameOf } from '#components/places/secrets.ts';

export interface MoveForm {
  readonly mode: 'move' | 'copy';
  readonly mount: string;
  readonly path: string;
  readonly versions: 'all' | 'latest';
}

export type What = 'secret' | 'folder';

interface Place {
  readonly mount: string;
  readonly path: string;
}

/** What is wrong with the destination; undefined if nothing. */
export function destinationProblem(what: What, from: Place, { mount, path }: Place): string | undefined {
  if (mount === '') return "You can't see a versioned engine to copy to.";
  if (path === '') return `Enter a name for the ${what}.`;
  const problem = pathProblem(path);
  if (problem !== undefined) return problem;
  if (mount !== from.mount) return undefined;
  if (path === from.path) return `The ${what} is already at this path. Choose another path.`;
  if (what === 'folder' && path.startsWith(`${from.path}/`))
    return "A folder can't be moved or copied into itself.";
  return undefined;
}

/** Why a secret can't be moved or copied; undefined if it can, or the server doesn't report capabilities. */
export function reasonAgainstTaking(
  may: Pick<SecretMay, 'read' | 'delete_forever'> | null,
  mode: MoveForm['mode'],
): string | undefined {
  if (may === null) return undefined;
  if (!may.read)
    return "Your policies don't let you read this secret's values, so you can't move or copy it.";
  return mode === 'copy' || may.delete_forever
    ? undefined
    : "Your policies don't let you delete this secret. You can only copy it.";
}

/** `Rename` for a move within the same folder. */
export function verbOf(from: Place, { mode, mount, path }: MoveForm): 'Rename' | 'Move' | 'Copy' {
  if (mode === 'copy') return 'Copy';
  const folder = (of: string): string => of.slice(0, Math.max(0, of.length - nameOf(of).length));
  return mount === from.mount && folder(path) === folder(from.path) ? 'Rename' : 'Move';
}

/** `Move secret/app/ to kv/app/`. */
export function titleOf(what: What, from: Place, form: MoveForm): string {
  const end = what === 'folder' ? '/' : '';
  return `${verbOf(from, form)} ${fullName(from)}${end} to ${fullName(form)}${end}`;
}

/** The request body. `revision` is the newest version you saw of a secret. */
export function transferOf(what: What, from: Place, form: MoveForm, revision?: string): Transfer {
  return {
    kind: what,
    from: { mount: from.mount, path: from.path },
    to: { mount: form.mount, path: form.path },
    mode: form.mode,
    versions: form.versions,
    ...(what === 'secret' && revision !== undefined && revision !== '0' && { revision }),
  };
}

/** One secret below a folder, with its destination. */
export interface PlannedMove {
  readonly from: string;
  readonly to: string;
  /** Whether a secret exists at `to`: then the whole transfer is refused. Undefined if that can't be listed. */
  readonly isTaken: boolean | undefined;
}

/** The secrets found at the destination. */
export interface FoundThere {
  readonly secrets: readonly string[];
  /** Folders that can't be listed. */
  readonly denied: readonly string[];
}

/**
 * The destination of every secret below a folder: conflicts first, then by name.
 * @param there undefined while the destination is unknown
 */
export function plannedMoves(
  secrets: readonly string[],
  from: string,
  to: string,
  there: FoundThere | undefined,
): readonly PlannedMove[] {
  const taken = new Set(there?.secrets);
  const isHidden = (path: string): boolean =>
    there?.denied.some((folder) => path.startsWith(`${folder}/`)) ?? true;
  const moves = secrets.toSorted().map((path) => {
    const target = `${to}${path.slice(from.length)}`;
    return { from: path, to: target, isTaken: taken.has(target) || (isHidden(target) ? undefined : false) };
  });
  return moves.toSorted((a, b) => Number(b.isTaken) - Number(a.isTaken));
}

/** The maximum number of names in a sentence. */
const shownNames = 20;

/** The paths of secrets whose newest version is deleted; at the new path, their last readable one becomes current. */
export function revivedSecrets(
  deleted: readonly {
    readonly path: string;
    readonly revision: string;
    readonly versions: readonly unknown[];
  }[],
): string[] {
  return deleted
    .filter(({ revision, versions }) => Number(revision) > versions.length)
    .map(({ path }) => path);
}

export function revivedInWords(paths: readonly string[]): string {
  const more = paths.length - shownNames;
  const names =
    paths.slice(0, shownNames).join(', ') + (more > 0 ? ` and ${more.toLocaleString('en')} more` : '');
  return `The newest version is deleted, so a read returns nothing: ${names}. At the new path, the last readable version becomes current.`;
}
