import { sendJson } from '@gatehouse/service-kit/http';
import { isId } from '@gatehouse/service-kit/ids';
import { passwordMethodId } from '../../domain/auth-token.ts';
import { FieldFaults, notFound } from '../../domain/refusal.ts';
import { requireIn } from '../caller.ts';
import type { Operation } from '../context.ts';
import { allowanceOf, filtered, readFilter } from '../filter.ts';
import { globalSummary } from '../global-scope.ts';
import { QueryReader } from '../query.ts';
import { wireAccount } from '../wire/account.ts';
import { wireList } from '../wire/list.ts';
import { accountActions } from './own.ts';

/** GET /v1/accounts: how the people of an auth method sign in, newest first. */
export const listAccounts: Operation = async (context, req, res) => {
  const caller = requireIn(context, req, 'account', 'list');
  const faults = new FieldFaults();
  const query = new QueryReader(req, faults);
  const methodId = query.string('auth_method_id');
  if (!isId(methodId, 'ampw')) {
    faults.add('auth_method_id', 'This field is missing or not a valid identifier.');
  }
  const allowance = allowanceOf(context, req);
  const filter = await readFilter(query.string('filter'), allowance, faults);
  faults.refuseAny();
  if (methodId !== passwordMethodId) throw notFound();

  const scope = globalSummary(context);
  const items = await filtered(
    context.accounts.list().reverse(),
    (account) => wireAccount(account, scope, accountActions(caller, account)),
    filter,
    allowance.slices,
  );
  sendJson(res, 200, wireList(items));
};
