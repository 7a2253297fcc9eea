import type { Answer, Request } from '../core/backend.ts';
import { jsonOf } from '../core/json/json-text.ts';

/** What the envelope tells of the request it answers. */
export type Answered = Pick<Request, 'id'> & { readonly mountType: string };

/** JSON of the usual envelope: every member is always there. */
export function envelope(answered: Answered, answer: Answer): string {
  const { data, lease, wrapInfo, warnings, auth } = answer;
  const repeated =
    answer.repeatData === true && data !== null && data !== undefined ? jsonOf(data).slice(1, -1) : '';
  return (
    // The answer that is wrapped has it.
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

/** JSON of a refusal. */
export function errorBody(errors: readonly string[]): string {
  return `{"errors":${JSON.stringify(errors)}}\n`;
}
