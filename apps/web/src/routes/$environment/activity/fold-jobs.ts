import type { ActivityEntry } from '@gatehouse/api-types/console/activity';

/** An entry in the list. */
export interface ListedEntry extends ActivityEntry {
  /** Set on the entry that stands for a job: the number of its other loaded entries, and whether they are shown. */
  readonly job?: { readonly key: string; readonly others: number; readonly isOpen: boolean };
  /** Whether the entry is shown below the one that stands for its job. */
  readonly isPart?: boolean;
}

/** Kinds of records whose ID is that of a job of several requests. */
const jobKinds: ReadonlySet<string> = new Set(['publish-run', 'publish-upload', 'move']);

const partOf = 'part-of=';
const ofMove = 'move=';

/**
 * Folds the entries of each job (a publishing run, a move, a request that changes several records) into its newest one.
 * Others' attempts that didn't succeed aren't part of a job: each person's are a row of their own.
 * @param entries newest first
 * @param open keys of the jobs whose other entries are shown too, below the one that stands for the job
 */
export function foldJobs(entries: readonly ActivityEntry[], open: ReadonlySet<string>): ListedEntry[] {
  // The parts of an operation have its person and request, and name its action. A client can choose its request IDs, so
  // those of another person, or of nobody signed in, don't join.
  const operationOf = ({ paths: [first = ''], ...entry }: ActivityEntry): string =>
    `${entry.person.id || String(entry.sequence)} ${entry.request_id} ${first.startsWith(partOf) ? first.slice(partOf.length) : entry.action}`;
  const jobByOperation = new Map<string, string>();
  const isOfJob = ({ resource }: ActivityEntry): boolean => jobKinds.has(resource.kind) && resource.id !== '';
  for (const [id, members] of Map.groupBy(entries.filter(isOfJob), ({ resource }) => resource.id)) {
    let owner = members.findLast(succeeded)?.person.id;
    for (const entry of members.toReversed()) {
      const { person } = entry;
      // A user who takes a move over becomes its owner.
      if (succeeded(entry)) owner = person.id;
      jobByOperation.set(operationOf(entry), person.id === owner ? id : `${id} ${person.id}`);
    }
  }
  const jobs = Map.groupBy(entries, (entry) => {
    const operation = operationOf(entry);
    return moveOf(entry) ?? jobByOperation.get(operation) ?? operation;
  });
  return [...jobs].flatMap(([key, members]): ListedEntry[] => {
    const head = members.find(({ paths: [first = ''] }) => !first.startsWith(partOf)) ?? members[0];
    if (head === undefined || members.length === 1) return members;
    const isOpen = open.has(key);
    const others = members.filter((entry) => entry !== head);
    return [
      { ...head, job: { key, others: others.length, isOpen } },
      ...(isOpen ? others.map((entry) => ({ ...entry, isPart: true })) : []),
    ];
  });
}

/** The move that an entry is a part of, whichever of its requests the entry has. */
function moveOf({ paths: [first = '', second = ''] }: ActivityEntry): string | undefined {
  return first.startsWith(partOf) && second.startsWith(ofMove) ? second.slice(ofMove.length) : undefined;
}

function succeeded({ outcome }: ActivityEntry): boolean {
  return outcome === 'succeeded';
}
