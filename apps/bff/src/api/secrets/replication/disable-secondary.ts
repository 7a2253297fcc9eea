import { audited, type Operation } from '#operation/operation.ts';
import { change } from '#upstreams/secrets-server/replication-changes.ts';
import { atCluster, changeCluster, changesMode } from '../replication-change.ts';

const judge = changesMode('secondary', 'disabled');

export const disableSecondary: Operation<'replication.disableSecondary'> = audited(
  { became: atCluster(judge) },
  (context, call) =>
    changeCluster(context, call, { judge, send: (caller) => change(caller, 'secondary/disable') }),
);
