import type { Session } from '../../domain/session/session.ts';
import type { CredentialPurpose, CredentialSource } from '../../domain/target/target.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireCredentialSource } from './target.ts';
import { wireTime } from './time.ts';

/** A session's credential for its client. */
export interface SessionCredential {
  readonly purpose: CredentialPurpose;
  readonly source: CredentialSource;
  /** Undefined if it has been deleted since. */
  readonly content: CredentialContent | undefined;
}

/** The content of a credential, unencrypted. */
export interface CredentialContent {
  /** The stored credential, or the secrets server's answer. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The fields of its type; empty without a type. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The answer to an authorized session.
 * @param port the endpoint's port
 * @param sign computes the keyed hash that identifies the service's own authorization tokens
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
