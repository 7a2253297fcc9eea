import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import type { Request } from 'express';
import type { Box, Provider, Version } from '../domain/box.ts';
import { ownerNameFault } from '../domain/names.ts';
import type { Namespace } from '../domain/namespace.ts';
import { namespaceActions } from '../domain/permissions.ts';
import type { NamespaceAction } from '../domain/permissions.ts';
import { Refusal, forbidden, notFound } from '../domain/refusal.ts';
import { findCaller } from './caller.ts';
import type { Context } from './context.ts';

/** A namespace and what somebody may do in it. */
export interface NamespaceAccess {
  readonly caller: TokenCaller | undefined;
  readonly namespace: Namespace;
  readonly actions: readonly NamespaceAction[];
}

/** A box and what somebody may do with it. */
export interface BoxAccess extends NamespaceAccess {
  readonly box: Box;
}

/** The namespace of a name: an organization's, or a person's who may have boxes. */
export function findNamespace(context: Context, name: string): Namespace | undefined {
  const stored = context.namespaces.find(name);
  if (stored !== undefined) return stored;
  const account = context.accounts.getByLoginName(name);
  if (account === undefined || account.disabled || account.roles.boxes === null) return undefined;
  if (ownerNameFault(account.loginName) !== undefined) return undefined;
  // Somebody who has boxes under another name has no second namespace.
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

/** What a caller may do in a namespace. */
export function actionsIn(
  context: Context,
  caller: Pick<TokenCaller, 'account' | 'role'> | undefined,
  namespace: Namespace,
): readonly NamespaceAction[] {
  if (caller === undefined) return [];
  const membership =
    namespace.id === undefined ? undefined : context.members.role(namespace.id, caller.account.id);
  return namespaceActions({ accountId: caller.account.id, role: caller.role }, namespace, membership);
}

/** The namespace that a path names. @throws Refusal `not found`, `unauthenticated` */
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
 * The box that a path names, for reading, or for changes when `publish` is asked for.
 * @throws Refusal `not found` when there is none, or none that the caller may see; `unauthenticated`, `forbidden`
 */
export function openBox(context: Context, req: Request, need: 'read' | 'publish' = 'read'): BoxAccess {
  const caller = findCaller(context, req);
  if (caller === undefined && need === 'publish')
    throw new Refusal('unauthenticated', 'Authentication is required: present a token');
  const namespace = findNamespace(context, segment(req, 'username'));
  const box =
    namespace?.id === undefined ? undefined : context.boxes.find(namespace.id, segment(req, 'name'));
  if (namespace === undefined || box === undefined) throw notFound();
  const actions = actionsIn(context, caller, namespace);
  if (box.isPrivate && !actions.includes('read')) throw notFound();
  if (need === 'publish') requirePublish(actions, namespace);
  return { caller, namespace, actions, box };
}

/** @throws Refusal `forbidden` */
export function requirePublish(actions: readonly NamespaceAction[], namespace: Namespace): void {
  if (!actions.includes('publish')) throw forbidden(`You may not change boxes of ${namespace.name}`);
}

/** The version that a path names. @throws Refusal as `openBox` */
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

/** The provider that a path names; without an architecture the default of its name. @throws Refusal as `openBox` */
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

/** Whether somebody may know of a version: what is not released is for those alone who see private boxes. */
export function isVisible(version: Version, actions: readonly NamespaceAction[]): boolean {
  return version.status !== 'unreleased' || actions.includes('read');
}

/** A segment of the path, decoded. */
export function segment(req: Request, name: string): string {
  const value = req.params[name];
  return typeof value === 'string' ? value : '';
}
