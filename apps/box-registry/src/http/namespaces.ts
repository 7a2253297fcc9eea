import type { TokenCaller } from '@gatehouse/service-kit/account-tokens';
import { sendJson } from '@gatehouse/service-kit/http';
import { listText, sendParts } from '@gatehouse/service-kit/parts';
import { actionsIn, findNamespace, oncePerTurn, openNamespace } from './access.ts';
import { presentCaller, requireCaller } from './caller.ts';
import type { Context, Operation } from './context.ts';

/** GET /api/v1/namespaces: the namespaces in which the caller may publish boxes, the caller's own first. */
export const listNamespaces: Operation = async (context, req, res, slices) => {
  const caller = requireCaller(context, req);
  const present = oncePerTurn(() => presentCaller(context, req));
  const namespaces = candidates(context, caller).map((namespace) => {
    const { name: username, kind } = namespace;
    const actions = actionsIn(context, present(), namespace);
    return actions.includes('publish') ? [JSON.stringify({ username, kind, actions })] : undefined;
  });
  await sendParts(res, slices, listText({}, 'namespaces', namespaces));
};

/** The caller's own namespace, and all organizations. */
function* candidates(context: Context, { account }: TokenCaller) {
  const own = context.namespaces.ofAccount(account.id) ?? findNamespace(context, account.loginName);
  if (own?.accountId === account.id) yield own;
  yield* context.namespaces.organizations();
}

/** GET /api/v1/namespaces/:username: the caller's actions on boxes in the namespace. */
export const readNamespace: Operation = (context, req, res) => {
  requireCaller(context, req);
  const { namespace, actions } = openNamespace(context, req);
  sendJson(res, 200, { username: namespace.name, kind: namespace.kind, actions });
};
