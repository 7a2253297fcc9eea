import type { Operation } from '../../http/operation.ts';
import { sessions } from '../../upstreams/access-controller/sessions.ts';
import { accessCaller } from './caller.ts';
import { listRecords } from './records.ts';
import { withNames } from './session-names.ts';

const list = listRecords(sessions);

export const listAccessSessions: Operation<'listAccessSessions'> = async (context, call) => {
  const page = await list(context, call);
  return { ...page, items: await withNames(await accessCaller(context, call), page.items) };
};
