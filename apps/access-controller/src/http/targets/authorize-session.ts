import { randomInt } from 'node:crypto';
import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import type { Request } from 'express';
import { mostSessionSecretBytes } from '../../domain/credential/credential.ts';
import type { Credential, Secrets } from '../../domain/credential/credential.ts';
import { hostPrefix } from '../../domain/host/host.ts';
import { FieldFaults, invalidField, notFound, Refusal } from '../../domain/refusal.ts';
import { chooseHost, endpointUrl } from '../../domain/session/endpoint.ts';
import { firstStates } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { targetPrefixes } from '../../domain/target/target.ts';
import { libraryType } from '../../domain/vault-store/library.ts';
import type { SessionParts } from '../../store/authorize.ts';
import { MemberReader, readObject } from '../body.ts';
import { requireOn } from '../caller.ts';
import type { Caller } from '../caller.ts';
import type { Context, Operation } from '../context.ts';
import { allowanceOf } from '../filter.ts';
import { scopeSummaries } from '../wire/scope.ts';
import { sessionAuthorizationJson } from '../wire/session-authorization.ts';
import type { CredentialContent, SessionCredential } from '../wire/session-authorization.ts';
import { TargetChanged, withIssued } from './issued-credentials.ts';
import type { IssuedCredentials } from './issued-credentials.ts';

/**
 * POST /v1/targets/{id}:authorize-session: creates a session on a target, with its host and its credentials.
 * Identifies the target by its ID, or by its name in the path and in the body with the ID or name of its project.
 */
export const authorizeSession: Operation = async (context, req, res) => {
  const caller = requireOn(context, req, 'target', 'authorize-session');
  const faults = new FieldFaults();
  const members = new MemberReader(req.body === undefined ? {} : readObject(req), faults);
  const wanted = readTarget(req, members, faults);
  const hostId = members.string('host_id') ?? '';
  if (hostId !== '' && !isId(hostId, hostPrefix)) faults.add('host_id', 'Incorrectly formatted identifier.');
  faults.refuseAny();

  const targetId = 'id' in wanted ? wanted.id : findByName(context, wanted);
  // The first turn comes before the credentials are read, which are in memory until the answer.
  const { slices } = allowanceOf(context, req);
  const made = await withIssued(context, caller.token.userId, targetId, (issued) =>
    slices.giveWay().then(() =>
      context.authorizer.authorize(targetId, (parts) => ({
        ...newSession(context, caller, parts, hostId, issued.sessionId),
        credentials: credentialsOf(context, parts, issued),
        leases: issued.leases,
      })),
    ),
  );
  const scope = scopeSummaries(context.scopes)(made.session.projectId);
  const sign = (text: string): string => context.vault.sign(text);
  const giveWay = (): Promise<void> => slices.giveWay();
  const { session, port, credentials } = made;
  sendJson(res, 200, await sessionAuthorizationJson(session, port, credentials, scope, sign, giveWay));
};

interface NamedTarget {
  readonly name: string;
  readonly project: { readonly id: string } | { readonly name: string };
}

function readTarget(
  req: Request,
  members: MemberReader,
  faults: FieldFaults,
): NamedTarget | { readonly id: string } {
  const id = String(req.params['id']);
  const name = members.string('name') ?? '';
  const scopeId = members.string('scope_id') ?? '';
  const scopeName = members.string('scope_name') ?? '';
  if (name === '') {
    if (!isId(id, ...Object.values(targetPrefixes))) faults.add('id', 'Invalid formatted identifier.');
    if (scopeId !== '') faults.add('scope_id', 'Scope ID provided when target name was empty.');
    if (scopeName !== '') faults.add('scope_name', 'Scope name provided when target name was empty.');
    return { id };
  }
  if (name !== id) {
    faults.add('name', 'Target name provided but does not match the given ID value from the URL.');
  }
  if ((scopeId === '') === (scopeName === '')) {
    const problem =
      scopeId === ''
        ? 'Scope ID or scope name must be provided when target name is used.'
        : 'Scope ID and scope name cannot both be provided when target name is used.';
    faults.add('scope_id', problem);
    faults.add('scope_name', problem);
  } else if (scopeId !== '' && !isId(scopeId, 'p')) {
    faults.add('scope_id', 'Incorrectly formatted identifier.');
  }
  return { name, project: scopeId === '' ? { name: scopeName } : { id: scopeId } };
}

function findByName(context: Context, wanted: NamedTarget): string {
  const [found, another] = context.authorizer.named(wanted.name, wanted.project);
  if (found === undefined) throw notFound();
  if (another !== undefined) {
    throw invalidField(
      'scope_name',
      'More than one project with this name has a target with this name. Use the scope ID instead of the scope name.',
    );
  }
  return found;
}

function newSession(
  context: Context,
  { account, token }: Caller,
  { target, hosts }: SessionParts,
  hostId: string,
  id: string,
): { readonly session: Session; readonly port: number } {
  const host = chooseHost(target, hosts, hostId, (count) => randomInt(count));
  const port = target.attributes.defaultPort ?? 0;
  const now = context.clock.now();
  const session: Session = {
    id,
    projectId: target.projectId,
    targetId: target.id,
    userId: account.id,
    authTokenId: token.id,
    hostId: host.hostId,
    hostSetId: host.hostSetId,
    type: target.type,
    endpoint: endpointUrl(host.address, port),
    createdTime: now,
    updatedTime: now,
    expirationTime: now + target.sessionMaxSeconds * 1000,
    version: 1,
    connectionLimit: target.sessionConnectionLimit,
    terminationReason: '',
    states: firstStates(now),
  };
  return { session, port };
}

function credentialsOf(
  { vault }: Context,
  parts: SessionParts,
  issued: IssuedCredentials,
): SessionCredential[] {
  const { target } = parts;
  if (!issued.isFor(target)) throw new TargetChanged();
  let left = mostSessionSecretBytes;
  const count = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw tooLarge();
  };
  // Injected credentials stay between the service and its workers.
  return (['application', 'brokered'] as const).flatMap((purpose) =>
    target.credentialSources[purpose].map((source): SessionCredential => {
      if (source.type === libraryType) {
        const content = issued.content(source.id);
        count(content?.bytes ?? 0);
        return { purpose, source, read: content && (() => content) };
      }
      const stored = parts.credential(source.id);
      if (stored === undefined) return { purpose, source, read: undefined };
      count(stored.sealed.length);
      // Decrypted before the session is stored, so that none is whose credentials can't be read. Parsing takes longer.
      const secrets = vault.decrypt(stored);
      return { purpose, source, read: () => contentOf(stored.plain, secrets()) };
    }),
  );
}

function tooLarge(): Refusal {
  return new Refusal(
    'failed precondition',
    `The target's credentials are larger than ${mostSessionSecretBytes / 1024 / 1024} MiB together, which is the most that a session can have. Remove some of its credential sources, or store smaller credentials.`,
  );
}

/** The content of a credential from a static store; for a JSON credential its object. */
function contentOf(plain: Credential['plain'], { object, ...secrets }: Secrets): CredentialContent {
  const fields = typeof object === 'object' ? object : { ...plain, ...secrets };
  return { raw: fields, fields };
}
