import { sendJson } from '@gatehouse/service-kit/http';
import type { Operation } from '../context.ts';
import { globalSummary } from '../global-scope.ts';
import { wireAccount } from '../wire/account.ts';
import { accountActions, requestedAccount } from './own.ts';

/** GET /v1/accounts/{id} */
export const getAccount: Operation = (context, req, res) => {
  const { caller, account } = requestedAccount(context, req, 'read');
  sendJson(res, 200, wireAccount(account, globalSummary(context), accountActions(caller, account)));
};
