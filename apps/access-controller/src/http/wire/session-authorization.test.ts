import { expect, test } from 'vitest';
import { firstStates } from '../../domain/session/session.ts';
import type { Session } from '../../domain/session/session.ts';
import { sessionAuthorizationJson } from './session-authorization.ts';
import type { SessionCredential } from './session-authorization.ts';

const session: Session = {
  id: 's_1234567890',
  projectId: 'p_1234567890',
  targetId: 'ttcp_1234567890',
  userId: 'u_1234567890',
  authTokenId: 'at_1234567890',
  hostId: '',
  hostSetId: '',
  type: 'tcp',
  endpoint: 'tcp://10.0.0.1:22',
  createdTime: 0,
  updatedTime: 0,
  expirationTime: 0,
  version: 1,
  connectionLimit: -1,
  terminationReason: '',
  states: firstStates(0),
};
const scope = { id: 'p_1234567890', type: 'project', name: '', description: '', parent_scope_id: '' };

test('gives way before it reads and serializes each credential', async () => {
  const steps: string[] = [];
  const credential = (id: string): SessionCredential => ({
    purpose: 'brokered',
    source: {
      id,
      type: 'static',
      credentialType: 'json',
      name: '',
      description: '',
      storeId: 'csst_1234567890',
    },
    read: () => {
      steps.push(id);
      return { raw: { id }, fields: { id } };
    },
  });
  const giveWay = (): Promise<void> => {
    steps.push('gives way');
    return Promise.resolve();
  };
  const credentials = [credential('one'), credential('two')];
  const json = await sessionAuthorizationJson(session, 22, credentials, scope, () => 'signed', giveWay);
  expect(steps).toEqual(['gives way', 'one', 'gives way', 'two']);
  expect(JSON.parse(String(json))).toMatchObject({
    session_id: session.id,
    credentials: [{ credential: { id: 'one' } }, { credential: { id: 'two' } }],
  });
});
