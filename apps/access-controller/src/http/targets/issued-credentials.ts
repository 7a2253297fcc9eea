import { newId } from '@gatehouse/service-kit/ids';
import { withoutConditions } from '@gatehouse/service-kit/write-queue';
import type { VaultStore } from '../../domain/credential/store.ts';
import { Refusal, notFound } from '../../domain/refusal.ts';
import { sessionPrefix } from '../../domain/session/session.ts';
import { credentialPurposes } from '../../domain/target/target.ts';
import type { Target } from '../../domain/target/target.ts';
import { failureText, SecretsServerFailure } from '../../domain/vault-store/failure.ts';
import type { SourceFailureReason } from '../../domain/vault-store/failure.ts';
import { newLease } from '../../domain/vault-store/lease.ts';
import type { Lease } from '../../domain/vault-store/lease.ts';
import { holdsToken, isAboutToken, libraryType } from '../../domain/vault-store/library.ts';
import type { CredentialLibrary } from '../../domain/vault-store/library.ts';
import { mapCredential } from '../../domain/vault-store/mapping.ts';
import { died, isSealedAlike, statusAt } from '../../domain/vault-store/token.ts';
import { inTurnAtServer } from '../../secrets-server/client.ts';
import type { Issued, SecretsServer } from '../../secrets-server/client.ts';
import type { Context } from '../context.ts';
import type { CredentialContent } from '../wire/session-authorization.ts';

/** The credentials that a target's libraries have issued for a session that doesn't exist yet. */
export type IssuedCredentials = Awaited<ReturnType<typeof issue>>;

/** The target's libraries changed between issuing and authorizing. */
export class TargetChanged extends Error {
  override readonly name = 'TargetChanged';
}

/** How often to try again after a concurrent change of the target. */
const attempts = 3;

/**
 * Issues credentials from the libraries of a target, and passes them to `authorize`. If no session is created,
 * revokes them.
 * @throws Refusal `not found`, `credential source failed`, and the errors of `authorize`
 */
export async function withIssued<Made>(
  context: Context,
  userId: string,
  targetId: string,
  authorize: (issued: IssuedCredentials) => Promise<Made>,
): Promise<Made> {
  for (let attempt = 1; ; attempt++) {
    const target = context.targets.get(targetId);
    if (target === undefined) throw notFound();
    context.authorizer.checkRoom(userId);
    const issued = await issue(context, userId, target);
    try {
      return await authorize(issued);
    } catch (error) {
      if (issued.leases.length > 0) await context.vaultLeases.abandon(issued.leases, context.clock.now());
      if (!(error instanceof TargetChanged)) throw error;
      if (attempt === attempts)
        throw new Refusal('failed precondition', 'The target is being changed. Try again.');
    }
  }
}

interface IssuedContent extends CredentialContent {
  /** The size of its JSON. */
  readonly bytes: number;
}

interface OfLibrary {
  readonly content: IssuedContent;
  readonly lease: Lease | undefined;
}

async function issue(context: Context, userId: string, target: Target) {
  const sessionId = newId(sessionPrefix);
  const ids = librariesOf(target);
  const settled = await Promise.allSettled(
    [...ids].map(async (id) => [id, await issueOf(context, userId, id, sessionId)] as const),
  );
  const done = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const leases = done.flatMap(([, { lease }]) => (lease === undefined ? [] : [lease]));
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed !== undefined) {
    if (leases.length > 0) await context.vaultLeases.abandon(leases, context.clock.now());
    throw failed.reason;
  }
  const issued = new Map(done);
  return {
    /** The ID of the session to create. */
    sessionId,
    leases,
    content: (libraryId: string): IssuedContent | undefined => issued.get(libraryId)?.content,
    /** Whether a target has exactly the libraries that issued these credentials. */
    isFor: (now: Target): boolean => librariesOf(now).symmetricDifference(ids).size === 0,
  };
}

function librariesOf(target: Target): ReadonlySet<string> {
  const sources = credentialPurposes.flatMap((purpose) => target.credentialSources[purpose]);
  return new Set(sources.filter(({ type }) => type === libraryType).map(({ id }) => id));
}

async function issueOf(
  context: Context,
  userId: string,
  libraryId: string,
  sessionId: string,
): Promise<OfLibrary> {
  const library = context.credentialLibraries.get(libraryId);
  const store = library === undefined ? undefined : context.credentialStores.get(library.storeId);
  if (library === undefined || store?.type !== 'vault') throw new TargetChanged();
  const status = statusAt(store.token, context.clock.now());
  if (status === 'expired' || status === 'revoked') throw failure(library, store, `token-${status}`);
  if (isAboutToken(library.path)) throw failure(library, store, 'refused');
  const { connection, secrets } = context.vault.openConnection(store.token);
  let issued: Issued;
  try {
    issued = await inTurnAtServer(userId, connection, secrets, context.secretsServerLimits, (server) =>
      ask(context, library, store, server),
    );
  } catch (error) {
    throw error instanceof SecretsServerFailure ? failure(library, store, error.reason) : error;
  }
  const { data, lease } = issued;
  const kept =
    lease === undefined
      ? undefined
      : newLease(
          {
            id: newId('vlease'),
            leaseId: lease.id,
            tokenId: store.token.id,
            sessionId,
            userId,
            libraryId,
            renewable: lease.renewable,
          },
          lease.ttl,
          context.clock.now(),
        );
  // Checks the content, whatever the path is called: if the answer contained the store's token, the session's user
  // would get it.
  const mapped = holdsToken(data, secrets.token)
    ? undefined
    : mapCredential(library.credentialType, library.mappingOverrides, data);
  if (mapped !== undefined && 'credential' in mapped)
    return {
      content: { raw: data, fields: mapped.credential, bytes: Buffer.byteLength(JSON.stringify(data)) },
      lease: kept,
    };
  if (kept !== undefined) await context.vaultLeases.abandon([kept], context.clock.now());
  throw mapped === undefined
    ? failure(library, store, 'refused')
    : failure(library, store, 'not-mappable', mapped.missing);
}

/**
 * The server refuses a dead token with the same status as a token whose policies do not allow the path; a second
 * request distinguishes them.
 */
async function ask(
  context: Context,
  library: CredentialLibrary,
  store: VaultStore,
  server: SecretsServer,
): Promise<Issued> {
  try {
    return await server.issue(library.httpMethod, library.path, library.httpRequestBody);
  } catch (error) {
    if (!(error instanceof SecretsServerFailure) || error.reason !== 'forbidden') throw error;
    const dead = await server.lookupSelf().then(
      () => false,
      (again: unknown) => again instanceof SecretsServerFailure && again.reason === 'forbidden',
    );
    if (!dead) throw error;
    const now = context.clock.now();
    await withoutConditions(() =>
      context.vaultTokens.change(store.token.id, (current) =>
        isSealedAlike(current, store.token) ? died(current, now) : current,
      ),
    );
    throw failure(
      library,
      store,
      died(store.token, now).status === 'expired' ? 'token-expired' : 'token-revoked',
    );
  }
}

function failure(
  library: CredentialLibrary,
  store: VaultStore,
  reason: SourceFailureReason,
  missing: readonly string[] = [],
): Refusal {
  const named = (item: { readonly id: string; readonly name: string }): string =>
    item.name === '' ? item.id : `${JSON.stringify(item.name)} (${item.id})`;
  return new Refusal(
    'credential source failed',
    `The credential library ${named(library)} of the store ${named(store)} returned no credential. ${textOf(library, store, reason, missing)}`,
    [],
    { libraryId: library.id, storeId: store.id, reason },
  );
}

function textOf(
  library: CredentialLibrary,
  { connection: { address } }: VaultStore,
  reason: SourceFailureReason,
  missing: readonly string[],
): string {
  switch (reason) {
    case 'token-expired':
      return "The store's token has expired. Replace it.";
    case 'token-revoked':
      return "The store's token was revoked on the secrets server. Replace it.";
    case 'not-mappable':
      return `The secret at ${library.path} lacks ${missing.join(', ')} for a credential of type ${library.credentialType}. Correct the secret, or the library's mapping overrides.`;
    case 'not-found':
      return `${failureText(reason, address)} Correct the library's path: ${library.path}.`;
    case 'forbidden':
      return `The policies of the store's token don't allow ${library.httpMethod} requests to ${library.path} at ${address}. Extend them, or correct the library's path.`;
    case 'refused':
      return `${failureText(reason, address)} Check the library's path, method and body.`;
    case 'unreachable':
    case 'timeout':
    case 'untrusted':
    case 'sealed':
    case 'rate-limited':
    case 'bad-answer':
      return failureText(reason, address);
  }
}
