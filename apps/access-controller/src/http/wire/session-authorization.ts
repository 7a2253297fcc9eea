import type { Session } from '../../domain/session/session.ts';
import type { CredentialPurpose, CredentialSource } from '../../domain/target/target.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireCredentialSource } from './target.ts';
import { wireTime } from './time.ts';

/** A credential of a session that its client is given. */
export interface SessionCredential {
  readonly purpose: CredentialPurpose;
  readonly source: CredentialSource;
  /** Undefined when it was deleted meanwhile. */
  readonly content: CredentialContent | undefined;
}

/** What a session's client is told of a credential, in the clear. */
export interface CredentialContent {
  /** As it was stored, or as the secrets server answered. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The fields of its type; empty without one. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * What authorizing a session answers.
 * @param port of the endpoint
 * @param sign makes the keyed hash by which the service knows its own authorization tokens
 */
export function wireSessionAuthorization(
  session: Session,
  port: number,
  credentials: readonly SessionCredential[],
  scope: WireScopeSummary,
  sign: (text: string) => string,
): Readonly<Record<string, unknown>> {
  const facts = {
    session_id: session.id,
    target_id: session.targetId,
    scope,
    created_time: wireTime(session.createdTime),
    user_id: session.userId,
    host_set_id: session.hostSetId,
    host_id: session.hostId,
    type: session.type,
    connection_limit: session.connectionLimit,
    endpoint: session.endpoint,
    endpoint_port: port,
    expiration: wireTime(session.expirationTime),
  };
  const payload = Buffer.from(JSON.stringify(facts), 'utf8').toString('base64url');
  return {
    ...facts,
    authorization_token: `${payload}.${sign(payload)}`,
    credentials: credentials.map(wireSessionCredential),
  };
}

function wireSessionCredential({
  purpose,
  source,
  content,
}: SessionCredential): Readonly<Record<string, unknown>> {
  const raw = Buffer.from(JSON.stringify(content?.raw ?? {}), 'utf8').toString('base64');
  return {
    purpose,
    credential_source: wireCredentialSource(source),
    secret: content === undefined ? { raw: '', decoded: null } : { raw, decoded: content.raw },
    credential: content?.fields ?? {},
  };
}
