import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { requireInWrites } from '@gatehouse/service-kit/write-queue';
import type { Request } from 'express';
import type { Box, Provider, Version } from '../domain/box.ts';
import { ownerNameFault } from '../domain/names.ts';
import type { Namespace } from '../domain/namespace.ts';
import { namespaceActions } from '../domain/permissions.ts';
import type { NamespaceAction } from '../domain/permissions.ts';
import { forbidden, notFound } from '../domain/refusal.ts';
import type { Reuse } from '../store/namespaces.ts';
import { callerOf, findCaller, presentCaller } from './caller.ts';
import type { Context } from './context.ts';

/** A namespace and the caller's actions in it. */
export interface NamespaceAccess {
  readonly caller: TokenCaller | undefined;
  readonly namespace: Namespace;
  readonly actions: readonly NamespaceAction[];
}

/** A box and the caller's actions on it. */
export interface BoxAccess extends NamespaceAccess {
  readonly box: Box;
}

/** The namespace with a name: an organization's, or that of a user who may have boxes. */
export function findNamespace(context: Context, name: string): Namespace | undefined {
  const stored = context.namespaces.find(name);
  if (stored !== undefined) return stored;
  const account = context.accounts.getByLoginName(name);
  if (account === undefined || account.disabled || account.roles.boxes === null) return undefined;
  if (ownerNameFault(account.loginName) !== undefined) return undefined;
  // A user whose boxes have another owner name gets no second namespace.
  if (context.namespaces.ofAccount(account.id) !== undefined) return undefined;
  return {
    id: undefined,
    kind: 'person',
    name: account.loginName,
    accountId: account.id,
    profile: '',
    createdTime: account.createdTime,
  };
}

export function actionsIn(
  context: Context,
  caller: Pick<TokenCaller, 'account' | 'role'> | undefined,
  namespace: Pick<Namespace, 'id' | 'kind' | 'accountId'>,
): readonly NamespaceAction[] {
  if (caller === undefined) return [];
  const membership =
    namespace.id === undefined ? undefined : context.members.role(namespace.id, caller.account.id);
  return namespaceActions({ accountId: caller.account.id, role: caller.role }, namespace, membership);
}

/**
 * Judges at most once per turn of the event loop, for answers that are read from the store while they are sent: a
 * client that reads slowly may lose its right in the meantime.
 */
export function oncePerTurn<Judgment>(judge: () => Judgment): () => Judgment {
  let present: { readonly judgment: Judgment } | undefined;
  return () => {
    if (present === undefined) {
      present = { judgment: judge() };
      setImmediate(() => {
        present = undefined;
      });
    }
    return present.judgment;
  };
}

/** Passes on what is read from the store, and judges before each read. @param judge throws to end the answer */
export function* whileAllowed<Element>(judge: () => void, elements: Iterable<Element>): Generator<Element> {
  const iterator = elements[Symbol.iterator]();
  for (;;) {
    judge();
    const next = iterator.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/**
 * A judge of whether the caller may still see as much of a namespace.
 * @param actions the caller's actions when the request was judged
 * @returns throws Refusal `not found`, `unauthenticated`
 */
export function stillReadable(
  context: Context,
  req: Request,
  namespaceId: string,
  actions: readonly NamespaceAction[],
): () => void {
  return oncePerTurn(() => {
    const caller = findCaller(context, req);
    const namespace = context.namespaces.get(namespaceId);
    if (namespace === undefined) throw notFound();
    if (actions.includes('read') && !actionsIn(context, caller, namespace).includes('read')) throw notFound();
  });
}

/** Lets administrators take the name of a former owner, and records it in the log. */
export function reuseBy({ log }: Context, { account, role }: TokenCaller): Reuse {
  if (role !== 'administrator') return undefined;
  return (resourceId) => log.warn("a former owner's name is used again", { userId: account.id, resourceId });
}

/** The namespace in a request's path. @throws Refusal `not found`, `unauthenticated` */
export function openNamespace(
  context: Context,
  req: Request,
  name = segment(req, 'username'),
): NamespaceAccess {
  const caller = findCaller(context, req);
  const namespace = findNamespace(context, name);
  if (namespace === undefined) throw notFound();
  return { caller, namespace, actions: actionsIn(context, caller, namespace) };
}

/**
 * The box in a request's path. `need` is `publish` for changes.
 * @throws Refusal `not found` if it doesn't exist or the caller may not see it; `unauthenticated`, `forbidden`
 */
export function openBox(context: Context, req: Request, need: 'read' | 'publish' = 'read'): BoxAccess {
  const caller = need === 'publish' ? callerOf(context, req) : findCaller(context, req);
  const namespace = findNamespace(context, segment(req, 'username'));
  const box =
    namespace?.id === undefined ? undefined : context.boxes.find(namespace.id, segment(req, 'name'));
  if (namespace === undefined || box === undefined) throw notFound();
  const actions = actionsIn(context, caller, namespace);
  if (box.isPrivate && !actions.includes('read')) throw notFound();
  if (need === 'publish') requirePublish(context, req, namespace);
  return { caller, namespace, actions, box };
}

/** Requires the right to publish, as `requireAction` does. @throws Refusal like `requireAction` */
export function requirePublish(context: Context, req: Request, namespace: Namespace) {
  return requireAction(context, req, namespace, 'publish', `change boxes of ${namespace.name}`);
}

/**
 * Requires an action of the user whom `callerOf` has found in a namespace, now and again in the transactions of the
 * request's writes.
 * @param what what the user may not do otherwise
 * @returns the caller's actions
 * @throws Refusal `unauthenticated`, `forbidden`, and `not found` if the namespace has been deleted
 */
export function requireAction(
  context: Context,
  req: Request,
  { id, name }: Namespace,
  action: NamespaceAction,
  what: string,
): readonly NamespaceAction[] {
  return requireInWrites(() => {
    const caller = presentCaller(context, req);
    const namespace = id === undefined ? findNamespace(context, name) : context.namespaces.get(id);
    if (namespace === undefined) throw notFound();
    const actions = actionsIn(context, caller, namespace);
    if (!actions.includes(action)) throw forbidden(`You may not ${what}`);
    return actions;
  });
}

/** The version in a request's path. @throws Refusal like `openBox` */
export function openVersion(
  context: Context,
  req: Request,
  need: 'read' | 'publish' = 'read',
): BoxAccess & { readonly version: Version } {
  const access = openBox(context, req, need);
  const version = context.versions.find(access.box.id, segment(req, 'version'));
  if (version === undefined || !isVisible(version, access.actions)) throw notFound();
  return { ...access, version };
}

/**
 * The provider in a request's path; without an architecture, the default one of its name.
 * @throws Refusal like `openBox`
 */
export function openProvider(
  context: Context,
  req: Request,
  need: 'read' | 'publish' = 'read',
): BoxAccess & { readonly version: Version; readonly provider: Provider } {
  const access = openVersion(context, req, need);
  const provider = context.providers.find(
    access.version.id,
    segment(req, 'provider'),
    'architecture' in req.params ? segment(req, 'architecture') : undefined,
  );
  if (provider === undefined) throw notFound();
  return { ...access, provider };
}

/** Whether the caller may know about a version. Unreleased versions require the right to read private boxes. */
export function isVisible(version: Version, actions: readonly NamespaceAction[]): boolean {
  return version.status !== 'unreleased' || actions.includes('read');
}

/** A decoded segment of the path. */
export function segment(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === 'string' ? value : '';
}
