/** The one translator from errors to words. Where they are shown is decided by the caller: beside the field, in the dialog, as a toast. */
import type { ConflictReason } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ApiError, isUnknownOutcome, type ApiErrorCode } from './api-error.ts';
import { isMissingPart } from './missing-chunk.ts';

export interface ErrorWords {
  /** What happened, in a few words without a full stop. */
  readonly title: string;
  /** Why, in a sentence or two. */
  readonly detail: string;
  /** What to do; absent where `detail` says so. */
  readonly mend?: string;
  readonly requestId?: string;
  /** True where the same request may succeed in a moment. */
  readonly canRetry: boolean;
}

/** The services in the words of the console. */
export const serviceLabels: Readonly<Record<ServiceName, string>> = {
  access: 'Access controller',
  secrets: 'Secrets server',
  boxes: 'Box registry',
  modules: 'Module registry',
};

interface Words {
  title: string | ((service: string) => string);
  detail: string;
  mend?: string;
  canRetry?: true;
}

const byCode: Readonly<Record<ApiErrorCode, Words>> = {
  'invalid-request': {
    title: 'Refused as invalid',
    detail: 'The request holds something that is not accepted.',
    mend: 'Check what you entered, and the address of the page.',
  },
  unauthenticated: { title: 'You are signed out', detail: 'The session has ended.', mend: 'Sign in again.' },
  'sign-in-failed': {
    title: 'Sign-in failed',
    detail: 'The login name, password or token is wrong.',
    mend: 'Check it and try again.',
  },
  'two-factor-required': {
    title: 'A code is needed',
    detail: 'This account has a second factor.',
    mend: 'Enter a code of your authenticator.',
  },
  'two-factor-unsupported': {
    title: 'A second factor is required',
    detail: 'The service requires a second factor, which the console can’t complete yet.',
    mend: 'Sign in on the command line, then sign in here with the token that you get.',
  },
  'not-connected': {
    title: (service) => `Not connected to the ${service.toLowerCase()}`,
    detail: 'You have no valid token there.',
    mend: 'Connect to continue.',
  },
  'confirmation-required': {
    title: 'Not confirmed',
    detail: 'This needs your password once more, and it was not entered.',
    mend: 'Try again, and enter it.',
  },
  forbidden: {
    title: 'Not allowed',
    detail: 'Your role does not permit this.',
    mend: 'Ask an administrator of the service for a role that does.',
  },
  'origin-refused': {
    title: 'Refused by the console',
    detail: 'The request did not seem to come from this page.',
    mend: 'Reload the page.',
  },
  'not-found': {
    title: 'Not found',
    detail: 'It does not exist, was deleted, or you may not see it.',
    mend: 'Check the address, or look for it in its list.',
  },
  'host-refused': {
    title: 'Unknown address of the console',
    detail: 'The console does not answer under the name in the address bar.',
    mend: 'Use the address that the configuration names.',
  },
  'method-not-allowed': {
    title: 'Not supported',
    detail: 'The server does not know this operation.',
    mend: 'Reload the page.',
  },
  conflict: {
    title: 'It conflicts with what is there',
    detail: 'What is stored doesn’t allow it.',
    mend: 'Reload the page, and look at what is stored.',
  },
  'revision-required': {
    title: 'Refused for safety',
    detail: 'The request did not say which version it was made for.',
    mend: 'Reload the page.',
  },
  'payload-too-large': {
    title: 'Too large',
    detail: 'The request is larger than the server accepts.',
    mend: 'Send less at once.',
  },
  'unsupported-media-type': {
    title: 'Not understood',
    detail: 'The server does not accept this form of request.',
    mend: 'Reload the page.',
  },
  'rate-limited': {
    title: 'Too many requests',
    detail: 'Wait a moment before the next try.',
    canRetry: true,
  },
  'service-unavailable': {
    title: (service) => `${service} unreachable`,
    detail: 'It can’t be reached or is not ready.',
    mend: 'Try again when it is back.',
    canRetry: true,
  },
  'service-sealed': {
    title: (service) => `${service} is sealed`,
    detail: 'It does not answer before an operator unseals it.',
    canRetry: true,
  },
  'service-standby': {
    title: (service) => `${service} is on standby`,
    detail: 'Another server of its cluster is active, and this one passes no requests on.',
    mend: "Try again when it has taken over, or configure the cluster's address.",
    canRetry: true,
  },
  'service-timeout': {
    title: (service) => `${service} did not answer in time`,
    detail: 'The request was given up.',
    canRetry: true,
  },
  'bad-answer': {
    title: (service) => `${service} gave an unexpected answer`,
    detail: 'The console does not understand it.',
    mend: 'Try again; if it stays, check the address in the configuration.',
    canRetry: true,
  },
  'outcome-unknown': {
    title: 'Unknown whether it was done',
    detail: 'The service did not confirm it.',
    mend: 'Look at what is stored before you try again.',
  },
  'storage-full': {
    title: 'Storage is full',
    detail: 'Nothing can be written until there is space again.',
    mend: 'Have an administrator free some, then try again.',
  },
  internal: {
    title: 'The console failed',
    detail: 'An error that it did not expect. Nothing else is known to be affected.',
    mend: 'Try again; report the request id if it stays.',
    canRetry: true,
  },
  offline: {
    title: 'You are offline',
    detail: 'This computer has no network connection.',
    mend: 'Nothing on this page is lost: try again when you are back.',
    canRetry: true,
  },
  unreachable: {
    title: 'The console does not answer',
    detail: 'Its server could not be reached from this browser.',
    mend: 'Nothing on this page is lost: try again in a moment.',
    canRetry: true,
  },
  unreadable: {
    title: 'Unreadable answer',
    detail: 'Something between this browser and the console answered in its place.',
    mend: 'Check the network or proxy, then try again.',
    canRetry: true,
  },
};

const conflictTitles: Readonly<Record<ConflictReason, string>> = {
  modified: 'Changed meanwhile',
  deleted: 'Deleted meanwhile',
  created: 'Something is there already',
};

const partIsMissing: ErrorWords = {
  title: 'Part of this page couldn’t be loaded',
  detail: 'The console can’t be reached, or was updated since you opened this page.',
  mend: 'Try again; reload the page if it stays.',
  canRetry: true,
};

/** Says what happened, why, and what to do, for anything that was thrown. */
export function wordsOf(error: unknown): ErrorWords {
  if (isMissingPart(error)) return navigator.onLine ? partIsMissing : wordsOf(new ApiError('offline'));
  if (!(error instanceof ApiError)) {
    return {
      title: 'This page failed',
      detail: error instanceof Error && error.message !== '' ? error.message : 'An unexpected error.',
      mend: 'Reload the page; report it if it stays.',
      canRetry: true,
    };
  }
  const { title, detail, mend, canRetry } = byCode[error.code];
  const { problem } = error;
  const service = problem?.service === undefined ? 'Service' : serviceLabels[problem.service];
  return {
    title:
      problem?.conflict !== undefined
        ? conflictTitles[problem.conflict.reason]
        : typeof title === 'string'
          ? title
          : title(service),
    // The server knows more: its sentence holds the reason and the remedy.
    ...(problem === undefined || problem.detail === ''
      ? { detail, ...(mend !== undefined && { mend }) }
      : { detail: problem.detail }),
    ...(problem !== undefined && { requestId: problem.requestId }),
    canRetry: canRetry === true,
  };
}

/** What a failed change is called where its words follow: of a lost answer nobody knows whether it was done. */
export function failureTitle(error: unknown, title = 'It was not done'): string {
  return isUnknownOutcome(error) ? 'Unknown whether it was done' : title;
}
