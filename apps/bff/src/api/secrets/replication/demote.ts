import { audited, type Operation } from '#operation/operation.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';
import { atCluster, changeCluster, changesMode } from '../replication-change.ts';

const judge = changesMode('primary', 'secondary');

export const demotePrimary: Operation<'replication.demote'> = audited(
  { became: atCluster(judge) },
  (context, call) =>
    changeCluster(context, call, { judge, send: (caller) => change(caller, 'primary/demote') }),
);
