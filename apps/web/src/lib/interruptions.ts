/**
 * What a request may need from the user before it can continue: a new session, a connection to a service, or
 * the password. The request waits while a dialog over the page (components/layout) asks for it.
 */
import type { Problem } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import type { SignedOutReason } from './session.ts';

export type InterruptionRequest =
  | { readonly kind: 'signed-out'; readonly reason: SignedOutReason }
  | { readonly kind: 'not-connected'; readonly environment: string; readonly service: string }
  | {
      readonly kind: 'confirmation';
      readonly detail: string;
      /** Where the password is from: the environment, service and account. */
      readonly environment: string;
      readonly service: ServiceName | undefined;
      readonly account: Problem['account'];
    };

export interface Interruption {
  readonly key: string;
  readonly request: InterruptionRequest;
  /** `true` repeats the waiting requests; `false` fails them with their errors. */
  readonly settle: (isMended: boolean) => void;
}

interface Pending extends Interruption {
  readonly outcome: Promise<boolean>;
}

let pending: readonly Pending[] = [];
let isSignInPutOff = false;
let hosts = 0;
const listeners = new Set<() => void>();

function change(next: readonly Pending[]): void {
  pending = next;
  for (const listener of listeners) listener();
}

function keyOf(request: InterruptionRequest): string {
  return request.kind === 'signed-out'
    ? request.kind
    : `${request.kind} ${request.environment} ${request.service ?? ''}`;
}

/**
 * Asks the user for what a request lacks. Requests that lack the same thing wait for the same answer.
 * @returns whether to repeat the request; `false` at once if no page can ask.
 */
export function interrupt(request: InterruptionRequest): Promise<boolean> {
  if (hosts === 0) return Promise.resolve(false);
  const key = keyOf(request);
  const known = pending.find((item) => item.key === key);
  if (known) return known.outcome;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const settle = (isMended: boolean): void => {
    if (request.kind === 'signed-out') isSignInPutOff = !isMended;
    change(pending.filter((item) => item.key !== key));
    resolve(isMended);
  };
  // A missing session is first, because nothing else can be supplied without one.
  const rank = (item: Pending): number => (item.request.kind === 'signed-out' ? 0 : 1);
  change([...pending, { key, request, settle, outcome: promise }].sort((a, b) => rank(a) - rank(b)));
  return promise;
}

/**
 * Reports that a poll found the user signed out. Opens the sign-in dialog, unless the user dismissed it: then
 * only requests of the user open it again.
 */
export function interruptByPoll(request: InterruptionRequest & { readonly kind: 'signed-out' }): void {
  if (!isSignInPutOff) void interrupt(request);
}

/** Reports that a request had a session: when it ends, polls may open the dialog again. */
export function hadSession(): void {
  isSignInPutOff = false;
}

/** Registers a page that can ask. @returns unregisters it */
export function hostInterruptions(listener: () => void): () => void {
  hosts += 1;
  listeners.add(listener);
  return () => {
    hosts -= 1;
    listeners.delete(listener);
    if (hosts === 0) for (const item of pending) item.settle(false);
  };
}

/** Notifies the listener of changes, without registering a page that asks. */
export function watchInterruptions(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** What to ask the user for now; undefined if nothing. */
export function currentInterruption(): Interruption | undefined {
  return pending[0];
}
