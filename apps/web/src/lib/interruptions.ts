/**
 * What a request may need from the person before it can go on: signing in again, connecting a service, the password
 * once more. The request waits, the page stays as it is, and a dialog over it (components/layout) asks.
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
      /** Whose password it is about, and where. */
      readonly environment: string;
      readonly service: ServiceName | undefined;
      readonly account: Problem['account'];
    };

export interface Interruption {
  readonly key: string;
  readonly request: InterruptionRequest;
  /** `true`: what was missing is there, the waiting requests are sent again; `false`: they fail as they did. */
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
 * Asks the person for what is missing; requests that miss the same thing wait for one answer.
 * @returns whether to send the request again; `false` at once where no page is there to ask.
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
  // Being signed out comes first: nothing else can be asked before it.
  const rank = (item: Pending): number => (item.request.kind === 'signed-out' ? 0 : 1);
  change([...pending, { key, request, settle, outcome: promise }].sort((a, b) => rank(a) - rank(b)));
  return promise;
}

/**
 * Reports that a poll found the person signed out. They are asked to sign in, unless they closed that question before:
 * from then on only what they do themselves asks again.
 */
export function interruptByPoll(request: InterruptionRequest & { readonly kind: 'signed-out' }): void {
  if (!isSignInPutOff) void interrupt(request);
}

/** A request had a session: when that one ends, polls ask again. */
export function hadSession(): void {
  isSignInPutOff = false;
}

/** A page that can ask is there from now on, until the returned function is called. */
export function hostInterruptions(listener: () => void): () => void {
  hosts += 1;
  listeners.add(listener);
  return () => {
    hosts -= 1;
    listeners.delete(listener);
    if (hosts === 0) for (const item of pending) item.settle(false);
  };
}

/** Tells when something begins or ceases to be missing, without being the page that asks. */
export function watchInterruptions(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** What to ask the person now; undefined when nothing is. */
export function currentInterruption(): Interruption | undefined {
  return pending[0];
}
