import { sendJson } from '@gatehouse/service-kit/http';
import { actionsIn, findNamespace, openNamespace } from './access.ts';
import { requireCaller } from './caller.ts';
import type { Operation } from './context.ts';

/** GET /api/v1/namespaces: the namespaces in which the caller may publish boxes, the caller's own first. */
export const listNamespaces: Operation = (context, req, res) => {
  const caller = requireCaller(context, req);
  const own =
    context.namespaces.ofAccount(caller.account.id) ?? findNamespace(context, caller.account.loginName);
  const candidates = [
    ...(own?.accountId === caller.account.id ? [own] : []),
    ...context.namespaces.organizations(),
  ];
  sendJson(res, 200, {
    namespaces: candidates
      .map((namespace) => ({
        username: namespace.name,
        kind: namespace.kind,
        actions: actionsIn(context, caller, namespace),
      }))
      .filter(({ actions }) => actions.includes('publish')),
  });
};

/** GET /api/v1/namespaces/:username: the caller's actions on boxes in the namespace. */
export const readNamespace: Operation = (context, req, res) => {
  requireCaller(context, req);
  const { namespace, actions } = openNamespace(context, req);
  sendJson(res, 200, { username: namespace.name, kind: namespace.kind, actions });
};
