import { sendJson } from '@gatehouse/service-kit/http';
import { listText, sendParts } from '@gatehouse/service-kit/parts';
import { actionsIn, findNamespace, openNamespace } from './access.ts';
import { requireCaller } from './caller.ts';
import type { Operation } from './context.ts';

/** GET /api/v1/namespaces: the namespaces in which the caller may publish boxes, the caller's own first. */
export const listNamespaces: Operation = async (context, req, res, slices) => {
  const caller = requireCaller(context, req);
  const own =
    context.namespaces.ofAccount(caller.account.id) ?? findNamespace(context, caller.account.loginName);
  const candidates = [
    ...(own?.accountId === caller.account.id ? [own] : []),
    ...context.namespaces.organizations(),
  ];
  const namespaces = candidates.values().map((namespace) => {
    const { name: username, kind } = namespace;
    const actions = actionsIn(context, caller, namespace);
    return actions.includes('publish') ? [JSON.stringify({ username, kind, actions })] : undefined;
  });
  await sendParts(res, slices, listText({}, 'namespaces', namespaces));
};

/** GET /api/v1/namespaces/:username: the caller's actions on boxes in the namespace. */
export const readNamespace: Operation = (context, req, res) => {
  requireCaller(context, req);
  const { namespace, actions } = openNamespace(context, req);
  sendJson(res, 200, { username: namespace.name, kind: namespace.kind, actions });
};
