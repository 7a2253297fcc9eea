import type {
  AccessSession,
  SessionAuthorization,
  SessionCredential,
} from '@gatehouse/api-types/console/access-sessions';
import {
  credentialSource,
  session,
  sessionAuthorization,
} from '@gatehouse/api-types/services/access-controller';
import { isJsonObject, parseExactJson, textOfExact } from '@gatehouse/service-kit/parse-json';
import * as z from 'zod/mini';
import { buildPath } from '../path.ts';
import type { AccessCaller } from './client.ts';
import { collection } from './collection.ts';
import { commonFieldsOf, scopeOf } from './record-wire.ts';

/** /v1/sessions. Authorizing a target creates a session; it ends when it expires or by `cancel`. */
export const sessions = collection({
  kind: 'session',
  container: 'scope_id',
  path: 'sessions',
  wire: session,
  itemOf: (from): AccessSession => {
    const { name: _name, description: _description, ...common } = commonFieldsOf(from);
    return {
      ...common,
      scope_id: from.scope_id || (from.scope?.id ?? ''),
      status: from.status,
      states: from.states,
      expiration_time: from.expiration_time,
      termination_reason: from.termination_reason,
      target_id: from.target_id,
      target_name: '',
      user_id: from.user_id,
      user_name: '',
      host_set_id: from.host_set_id,
      host_id: from.host_id,
      endpoint: from.endpoint,
      connection_limit: from.connection_limit,
    };
  },
});

/**
 * Authorizes a session on a target.
 * @param name the target's ID, or its name if the body says which scope it is in
 * @throws ServiceError
 */
export async function authorize(
  caller: AccessCaller,
  name: string,
  body: Readonly<Record<string, string | undefined>>,
): Promise<SessionAuthorization> {
  const path = buildPath(`${caller.transport.prefix}/v1/targets`, [name], { action: 'authorize-session' });
  const answer = await caller.send({ method: 'POST', path, body });
  // Parsed exactly, because a credential may hold numbers that JavaScript's can't represent.
  const from = await caller.transport.parse(sessionAuthorization, {
    ...answer,
    body: parseExactJson(answer.text),
  });
  return {
    session_id: from.session_id,
    target_id: from.target_id,
    scope: scopeOf({ scope: from.scope, scope_id: from.scope?.id ?? '' }),
    created_time: from.created_time,
    user_id: from.user_id,
    host_set_id: from.host_set_id,
    host_id: from.host_id,
    type: from.type,
    authorization_token: from.authorization_token,
    connection_limit: from.connection_limit,
    endpoint: from.endpoint,
    endpoint_port: from.endpoint_port ?? portOf(from.endpoint),
    expiration: from.expiration,
    credentials: from.credentials.map((one): SessionCredential => ({
      credential_source: one.credential_source ?? z.parse(credentialSource, {}),
      secret: one.secret ? { raw: one.secret.raw, decoded: textsOf(dataOf(one.secret.decoded)) } : null,
      credential: textsOf(one.credential) ?? {},
    })),
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Flattens fields to text, with nested fields under names such as `database.password`: a key of several lines couldn't
 * be copied from an object's JSON. If two fields would get the same name, nested objects stay JSON.
 */
function textsOf(fields: Fields | null | undefined): Record<string, string> | null {
  if (!fields) return null;
  const leaves = [...leavesOf(fields)];
  const texts = Object.fromEntries(leaves);
  return Object.keys(texts).length === leaves.length
    ? texts
    : Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, textOfExact(value)]));
}

function* leavesOf(fields: Fields, path = ''): Generator<[string, string]> {
  for (const [name, value] of Object.entries(fields))
    if (isJsonObject(value) && Object.keys(value).length > 0) yield* leavesOf(value, `${path}${name}.`);
    else yield [path + name, textOfExact(value)];
}

/** Unwraps the secret from the answer of a versioned key-value engine, without its version metadata. */
function dataOf(decoded: Fields | null | undefined): Fields | null | undefined {
  const { data, metadata, ...others } = decoded ?? {};
  const isVersioned = isJsonObject(data) && isJsonObject(metadata) && Object.keys(others).length === 0;
  return isVersioned ? data : decoded;
}

/** The port of an endpoint such as `tcp://host:22`; null if it has none. */
function portOf(endpoint: string): number | null {
  const port = /:(\d{1,5})$/.exec(endpoint)?.[1];
  return port === undefined ? null : Number(port);
}
