import type { PauseReason } from '@gatehouse/api-types/console/move-values';
import { ProblemError } from '#ground/problem.ts';
import { ServiceError } from '#upstreams/service-error.ts';
import { statusOf } from './registry-status.ts';

/** A move cannot go on by itself: it is paused, and says why. */
export class PauseMove extends Error {
  override readonly name = 'PauseMove';
  readonly reason: PauseReason;

  /** @param message why, and what to do, for a person */
  constructor(reason: PauseReason, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** What pauses the move of all that the registry here refuses; undefined for what is about one thing alone. */
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

/** The same of the source. @param usedToken whether it is read with a token */
export function pauseOfSource(error: unknown, usedToken: boolean): PauseMove | undefined {
  if (error instanceof PauseMove) return error;
  if (!usedToken || !(error instanceof ProblemError) || statusOf(error) !== 401) return undefined;
  return new PauseMove(
    'source-token',
    'The source no longer accepts the token. Resume the move with another one.',
  );
}
