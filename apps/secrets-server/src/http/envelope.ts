import type { Answer, Request } from '../core/backend.ts';
import { jsonOf } from '../core/json/json-text.ts';
import { mostListed } from '../core/json/map-text.ts';
import { badRequest } from '../core/refusal.ts';

/** The request's part of the envelope. */
export type Answered = Pick<Request, 'id'> & { readonly mountType: string };

/** The maximum length of an answer in characters, twice that of a list: a long answer delays others while it is sent. */
const mostCharacters = 2 * mostListed;

/** The usual answer envelope as JSON, always with every member. @throws Refusal 400 if it is too long */
export function envelope(answered: Answered, answer: Answer): string {
  const { data, lease, wrapInfo, warnings, auth } = answer;
  const dataText = data === undefined || data === null ? 'null' : jsonOf(data);
  const repeated = answer.repeatData === true && dataText !== 'null' ? dataText.slice(1, -1) : '';
  const text =
    // The wrapped answer has the ID.
    `{"request_id":"${wrapInfo === undefined ? answered.id : ''}",` +
    `"lease_id":${lease === undefined ? '""' : JSON.stringify(lease.id)},` +
    `"renewable":${lease?.renewable ?? false},` +
    `"lease_duration":${lease?.duration ?? 0},` +
    `"data":${dataText},` +
    `"wrap_info":${wrapInfo === undefined ? 'null' : jsonOf(wrapInfo)},` +
    `"warnings":${warnings === undefined || warnings.length === 0 ? 'null' : JSON.stringify(warnings)},` +
    `"auth":${auth === undefined ? 'null' : jsonOf(auth)},` +
    `"mount_type":${JSON.stringify(answered.mountType)}${repeated === '' ? '' : `,${repeated}`}}\n`;
  if (text.length > mostCharacters)
    throw badRequest('the answer is too long for one response: ask for less at once');
  return text;
}

export function errorBody(errors: readonly string[]): string {
  return `{"errors":${JSON.stringify(errors)}}\n`;
}
