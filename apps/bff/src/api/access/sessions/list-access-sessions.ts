import { compressed, type Operation } from '#operation/operation.ts';
import { listRecords } from '#shared/access/records.ts';
import { withNames } from '#shared/access/session-names.ts';
import { sessions } from '#upstreams/access-controller/sessions.ts';

const list = listRecords(sessions);

export const listAccessSessions: Operation<'accessSessions.list'> = compressed(async (context, call) => {
  const page = await list(context, call);
  return { ...page, items: await withNames(context, call, page.items) };
});
