import type { PauseReason } from '@gatehouse/api-types/console/move-values';
import { ProblemError } from '#ground/problem.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { statusOf } from './registry-status.ts';

/** The move can't continue automatically: it is paused, with the reason. */
export class PauseMove extends Error {
  override readonly name = 'PauseMove';
  readonly reason: PauseReason;

  /** @param message the reason, and what to do, for the user */
  constructor(reason: PauseReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The pause for an error of the registry here that affects the whole move; undefined if it concerns one item only. */
export function pauseOfHere(error: unknown): PauseMove | undefined {
  if (error instanceof PauseMove) return error;
  if (!(error instanceof ServiceError)) return undefined;
  if (error.code === 'not-connected') {
    return new PauseMove(
      'token-ended',
      "The registry here no longer accepts the move's token. Resume the move with your own token.",
    );
  }
  if (error.code === 'forbidden') {
    return new PauseMove(
      'forbidden',
      `${error.message} Resume the move when you are allowed to publish here.`,
    );
  }
  if (error.code === 'storage-full') {
    return new PauseMove(
      'storage-full',
      'The registry here has no space left. Resume the move when there is space.',
    );
  }
  return undefined;
}

/** The pause for an error of the source. @param usedToken whether the source is read with a token */
export function pauseOfSource(error: unknown, usedToken: boolean): PauseMove | undefined {
  if (error instanceof PauseMove) return error;
  if (!usedToken || !(error instanceof ProblemError) || statusOf(error) !== 401) return undefined;
  return new PauseMove(
    'source-token',
    "The source doesn't accept the token. Resume the move with another one.",
  );
}
