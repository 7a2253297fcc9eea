import { resource } from '#operation/operation.ts';
import { connect } from './connect.ts';
import { disconnect } from './disconnect.ts';
import { listConnections } from './list-connections.ts';

export const connectionOperations = resource(
  {
    service: '',
    address: ({ params: { service = '' } }) => ({ service, id: service, paths: [] }),
  },
  {
    'connections.list': listConnections,
    'connections.connect': connect,
    'connections.disconnect': disconnect,
  },
);
