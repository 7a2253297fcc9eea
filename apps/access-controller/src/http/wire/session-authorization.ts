import type { Session } from '../../domain/session/session.ts';
import type { CredentialPurpose, CredentialSource } from '../../domain/target/target.ts';
import { listItem, withList } from './list.ts';
import type { WireScopeSummary } from './scope.ts';
import { wireCredentialSource } from './target.ts';
import { wireTime } from './time.ts';

/** A session's credential for its client. */
export interface SessionCredential {
  readonly purpose: CredentialPurpose;
  readonly source: CredentialSource;
  /** Reads its content; undefined if it has been deleted since. */
  readonly read: (() => CredentialContent) | undefined;
}

/** The content of a credential, unencrypted. */
export interface CredentialContent {
  /** The stored credential, or the secrets server's answer. */
  readonly raw: Readonly<Record<string, unknown>>;
  /** The fields of its type; empty without a type. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * The JSON of the answer to an authorized session.
 * @param port the endpoint's port
 * @param sign computes the keyed hash that identifies the service's own authorization tokens
 * @param giveWay lets others continue
 */
export async function sessionAuthorizationJson(
  session: Session,
  port: number,
  credentials: readonly SessionCredential[],
  scope: WireScopeSummary,
  sign: (text: string) => string,
  giveWay: () => Promise<void>,
): Promise<Buffer> {
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
  const items: Buffer[] = [];
  for (const credential of credentials) {
    await giveWay();
    items.push(listItem(wireSessionCredential(credential)));
  }
  const authorization_token = `${payload}.${sign(payload)}`;
  return withList({ ...facts, authorization_token }, 'credentials', items);
}

function wireSessionCredential({
  purpose,
  source,
  read,
}: SessionCredential): Readonly<Record<string, unknown>> {
  const content = read?.();
  const raw = Buffer.from(JSON.stringify(content?.raw ?? {}), 'utf8').toString('base64');
  return {
    purpose,
    credential_source: wireCredentialSource(source),
    secret: content === undefined ? { raw: '', decoded: null } : { raw, decoded: content.raw },
    credential: content?.fields ?? {},
  };
}
