import type { Answer, Request } from '../core/backend.ts';
import { jsonOf } from '../core/json/json-text.ts';

/** The request's part of the envelope. */
export type Answered = Pick<Request, 'id'> & { readonly mountType: string };

/** The usual answer envelope as JSON, always with every member. */
export function envelope(answered: Answered, answer: Answer): string {
  const { data, lease, wrapInfo, warnings, auth } = answer;
  const repeated =
    answer.repeatData === true && data !== null && data !== undefined ? jsonOf(data).slice(1, -1) : '';
  return (
    // The wrapped answer has the ID.
    `{"request_id":"${wrapInfo === undefined ? answered.id : ''}",` +
    `"lease_id":${lease === undefined ? '""' : JSON.stringify(lease.id)},` +
    `"renewable":${lease?.renewable ?? false},` +
    `"lease_duration":${lease?.duration ?? 0},` +
    `"data":${data === undefined || data === null ? 'null' : jsonOf(data)},` +
    `"wrap_info":${wrapInfo === undefined ? 'null' : jsonOf(wrapInfo)},` +
    `"warnings":${warnings === undefined || warnings.length === 0 ? 'null' : JSON.stringify(warnings)},` +
    `"auth":${auth === undefined ? 'null' : jsonOf(auth)},` +
    `"mount_type":${JSON.stringify(answered.mountType)}${repeated === '' ? '' : `,${repeated}`}}\n`
  );
}

export function errorBody(errors: readonly string[]): string {
  return `{"errors":${JSON.stringify(errors)}}\n`;
}
