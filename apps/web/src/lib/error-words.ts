/** Turns errors into words. The caller decides where to show them: at a field, in a dialog, as a toast. */
import type { ConflictReason } from '@gatehouse/api-types/console/problem';
import type { ServiceName } from '@gatehouse/api-types/console/service';
import { ApiError, isUnknownOutcome, type ApiErrorCode } from './api-error.ts';
import { isMissingPart } from './missing-chunk.ts';

export interface ErrorWords {
  /** What happened, in a few words, without a full stop. */
  readonly title: string;
  /** Why, in a sentence or two. */
  readonly detail: string;
  /** What to do; absent if `detail` says so. */
  readonly mend?: string;
  readonly requestId?: string;
  /** Whether the same request may succeed soon. */
  readonly canRetry: boolean;
}

/** Names of the services. */
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
    title: 'Request refused',
    detail: 'The request contains invalid values.',
    mend: "Check your input, and the page's address.",
  },
  unauthenticated: { title: 'You are signed out', detail: 'Your session has ended.', mend: 'Sign in again.' },
  'sign-in-failed': {
    title: 'Sign-in failed',
    detail: 'The login name, password or token is wrong.',
    mend: 'Check it and try again.',
  },
  'two-factor-required': {
    title: 'Code required',
    detail: 'This account has a second factor.',
    mend: 'Enter a code from your authenticator app.',
  },
  'two-factor-unsupported': {
    title: 'A second factor is required',
    detail: "The service requires a second factor, which the console doesn't support yet.",
    mend: 'Sign in on the command line, then sign in here with the token you get.',
  },
  'not-connected': {
    title: (service) => `Not connected to the ${service.toLowerCase()}`,
    detail: 'You have no valid token for this service.',
    mend: 'Connect to continue.',
  },
  'no-access': {
    title: 'No access',
    detail: "Your role doesn't allow this.",
    mend: 'Ask an administrator of the service for access.',
  },
  'confirmation-required': {
    title: 'Password required',
    detail: "This requires your password, and you didn't enter it.",
    mend: 'Try again and enter your password.',
  },
  forbidden: {
    title: 'Not allowed',
    detail: "Your role doesn't allow this.",
    mend: 'Ask an administrator of the service for access.',
  },
  'origin-refused': {
    title: 'Refused by the console',
    detail: "The request doesn't appear to come from this page.",
    mend: 'Reload the page.',
  },
  'not-found': {
    title: 'Not found',
    detail: "It doesn't exist, was deleted, or you aren't allowed to see it.",
    mend: 'Check the address, or find it in its list.',
  },
  'host-refused': {
    title: 'Unknown console address',
    detail: "The host name in the address bar isn't allowed.",
    mend: 'Use the configured address.',
  },
  'method-not-allowed': {
    title: 'Not supported',
    detail: "The server doesn't know this operation.",
    mend: 'Reload the page.',
  },
  conflict: {
    title: 'Conflict',
    detail: "The stored record doesn't allow this.",
    mend: 'Reload the page and check the stored record.',
  },
  'revision-required': {
    title: 'Refused for safety',
    detail: "The request didn't specify a version.",
    mend: 'Reload the page.',
  },
  'payload-too-large': {
    title: 'Too large',
    detail: 'The request is larger than the server accepts.',
    mend: 'Send less at once.',
  },
  'unsupported-media-type': {
    title: 'Unsupported format',
    detail: "The server doesn't accept this request format.",
    mend: 'Reload the page.',
  },
  'rate-limited': {
    title: 'Too many requests',
    detail: 'Wait a moment, then retry.',
    canRetry: true,
  },
  'service-unavailable': {
    title: (service) => `${service} unreachable`,
    detail: "The service can't be reached or isn't ready.",
    mend: 'Retry when it is back.',
    canRetry: true,
  },
  'service-sealed': {
    title: (service) => `${service} is sealed`,
    detail: "It won't respond until an administrator unseals it.",
    canRetry: true,
  },
  'service-standby': {
    title: (service) => `${service} is on standby`,
    detail: "Another server in its cluster is active, and this one doesn't forward requests.",
    mend: "Retry when it has taken over, or configure the cluster's address.",
    canRetry: true,
  },
  'service-timeout': {
    title: (service) => `${service} didn't respond in time`,
    detail: 'The request timed out.',
    canRetry: true,
  },
  'bad-answer': {
    title: (service) => `${service} sent an unexpected response`,
    detail: "The console can't read the response.",
    mend: 'Retry. If it happens again, check the address in the configuration.',
    canRetry: true,
  },
  'outcome-unknown': {
    title: 'Outcome unknown',
    detail: "The service didn't confirm the change.",
    mend: 'Check the stored record before you try again.',
  },
  'storage-full': {
    title: 'Storage is full',
    detail: 'Nothing can be written until space is available.',
    mend: 'Ask an administrator to free some space, then retry.',
  },
  internal: {
    title: 'The console failed',
    detail: 'An unexpected error occurred.',
    mend: 'Retry. If it happens again, report the request ID.',
    canRetry: true,
  },
  offline: {
    title: 'You are offline',
    detail: 'This computer has no network connection.',
    mend: 'Nothing on this page is lost. Retry when you are back online.',
    canRetry: true,
  },
  unreachable: {
    title: "The console isn't responding",
    detail: "This browser can't reach its server.",
    mend: 'Nothing on this page is lost. Retry in a moment.',
    canRetry: true,
  },
  unreadable: {
    title: 'Unreadable response',
    detail: 'Something between this browser and the console responded instead.',
    mend: 'Check the network or proxy, then retry.',
    canRetry: true,
  },
};

/** What happened to a record since the user opened it, possibly by their own change in another tab. */
export const conflictTitles: Readonly<Record<ConflictReason, string>> = {
  modified: 'Changed since you opened it',
  deleted: 'Deleted since you opened it',
  created: 'Already exists',
};

const partIsMissing: ErrorWords = {
  title: "Part of this page couldn't be loaded",
  detail: "The console can't be reached, or was updated since you opened this page.",
  mend: 'Retry. If it happens again, reload the page.',
  canRetry: true,
};

/** Says what happened, why, and what to do, for any thrown value. */
export function wordsOf(error: unknown): ErrorWords {
  if (isMissingPart(error)) return navigator.onLine ? partIsMissing : wordsOf(new ApiError('offline'));
  if (!(error instanceof ApiError)) {
    return {
      title: 'Unexpected error on this page',
      detail: error instanceof Error && error.message !== '' ? error.message : 'An unexpected error.',
      mend: 'Reload the page. If it happens again, report it.',
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
    // The server knows more: its sentence contains the reason and the remedy.
    ...(problem === undefined || problem.detail === ''
      ? { detail, ...(mend !== undefined && { mend }) }
      : { detail: problem.detail }),
    ...(problem !== undefined && { requestId: problem.requestId }),
    canRetry: canRetry === true,
  };
}

/** What happened and why, for places without a title. */
export function sentencesOf(error: unknown): string {
  const { title, detail } = wordsOf(error);
  return `${title}. ${detail}`;
}

/** Title of a failed change, for use above its details. If the answer was lost, the outcome is unknown. */
export function failureTitle(error: unknown, title = 'Request failed'): string {
  return isUnknownOutcome(error) ? 'Outcome unknown' : title;
}
