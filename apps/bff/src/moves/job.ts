/** What the work on one move needs. */
import type { EndpointName } from '@gatehouse/api-types/console/endpoints';
import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { PartialChange } from '#ground/call.ts';
import type { BoxSource, ModuleSource } from '#sources/source.ts';
import type { MoveRow } from '#store/schema.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import type { Reach } from './copy/reach.ts';

export interface Job {
  /** The move as the work began. */
  readonly move: MoveRow;
  readonly choice: MoveChoice;
  readonly usedToken: boolean;
  readonly registries: Registries;
  /** The source and the registry here. */
  readonly there: Reach;
  readonly here: Reach;
  readonly signal: AbortSignal;
  /** For all work on lists: a move has one turn, however many items it works on. */
  readonly slices: Slices;
  /** Ends all work of the move, because a failure pauses it. */
  cancel(): void;
  /**
   * Makes a change at the registry here, recorded as part of the move, by its owner: the intent before it, the outcome
   * after it.
   * @param wish the same change by an operation, which finds out a lost outcome; no operation if nothing can
   * @param work returns the revision after the change, if it is known
   * @throws ProblemError if the intent can't be recorded, and nothing is changed; the errors of `work`
   */
  change(
    change: Pick<PartialChange, 'action' | 'id' | 'paths'>,
    wish: PartWish,
    work: () => Promise<string | null>,
  ): Promise<void>;
  /** Counts received bytes. */
  received(bytes: number): void;
}

export interface PartWish {
  readonly operation: EndpointName | '';
  readonly params: object;
  readonly body?: object;
}

/** Both registries of a move, with its tokens. */
export type Registries =
  | { readonly kind: 'boxes'; readonly source: BoxSource; readonly caller: BoxesCaller }
  | { readonly kind: 'modules'; readonly source: ModuleSource; readonly caller: ModulesCaller };

export type BoxJob = Job & { readonly registries: Extract<Registries, { readonly kind: 'boxes' }> };
export type ModuleJob = Job & { readonly registries: Extract<Registries, { readonly kind: 'modules' }> };

export function isBoxJob(job: Job): job is BoxJob {
  return job.registries.kind === 'boxes';
}

export function isModuleJob(job: Job): job is ModuleJob {
  return job.registries.kind === 'modules';
}
