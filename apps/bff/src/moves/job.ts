/** What the work on one move has at hand. */
import type { MoveChoice } from '@gatehouse/api-types/console/moves';
import type { Slices } from '@gatehouse/service-kit/slices';
import type { PartialChange } from '#ground/call.ts';
import type { BoxSource, ModuleSource } from '#sources/source.ts';
import type { MoveRow } from '#store/schema.ts';
import type { BoxesCaller } from '#upstreams/box-registry/client.ts';
import type { ModulesCaller } from '#upstreams/module-registry/client.ts';
import type { Reach } from './copy/reach.ts';

export interface Job {
  /** As it was when the work began. */
  readonly move: MoveRow;
  readonly choice: MoveChoice;
  readonly usedToken: boolean;
  readonly registries: Registries;
  /** How the source answers, and the registry here. */
  readonly there: Reach;
  readonly here: Reach;
  readonly signal: AbortSignal;
  /** For all work on lists: a move has one turn, however many items it is at. */
  readonly slices: Slices;
  /** Ends all that goes on of it: something has failed that pauses the move. */
  cancel(): void;
  /** Records a change of the registry here as a part of the move, as its owner's. Never rejects. */
  did(change: PartialChange): Promise<void>;
  /** Tells of bytes that were received. */
  received(bytes: number): void;
}

/** Both registries of a move, as its tokens see them. */
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
