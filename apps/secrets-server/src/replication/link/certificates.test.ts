import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  createIdentity,
  issueCredentials,
  issueServerCertificate,
  secondaryIdOf,
  serverName,
} from './certificates.ts';

const clusterId = '5bd1b0a2-7c5f-4f0f-9f3e-0d7f5a3b6c11';

describe('certificates', () => {
  test("an authority signs a certificate for the server's name and one for a secondary", async () => {
    const identity = await createIdentity(clusterId);
    const authority = new X509Certificate(identity.authority.cert);
    expect(authority.ca).toBe(true);
    expect(authority.checkIssued(authority)).toBe(true);

    const server = new X509Certificate((await issueServerCertificate(identity)).cert);
    expect(server.checkIssued(authority)).toBe(true);
    expect(server.verify(authority.publicKey)).toBe(true);
    expect(server.ca).toBe(false);
    expect(server.checkHost(serverName(clusterId))).toBe(serverName(clusterId));
    expect(server.checkHost(serverName('another'))).toBeUndefined();

    const addresses = ['127.0.0.1:8201'];
    const credentials = await issueCredentials(identity, { id: 'berlin', addresses, digestKey: 'a2V5' });
    const client = new X509Certificate(credentials.client.cert);
    expect(client.verify(authority.publicKey)).toBe(true);
    expect(client.checkHost(serverName(clusterId))).toBeUndefined();
    expect(client.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
    expect(server.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
    expect(credentials).toMatchObject({ id: 'berlin', primaryClusterId: clusterId, addresses });
    expect(credentials.authority).toBe(identity.authority.cert);
  });

  test("a secondary's ID is read from its certificate unchanged", async () => {
    const identity = await createIdentity(clusterId);
    for (const id of ['berlin', 'Köln/2, CN=x\n%41 ', '']) {
      const { client } = await issueCredentials(identity, { id, addresses: [], digestKey: '' });
      const subject = new X509Certificate(client.cert).toLegacyObject().subject;
      expect(secondaryIdOf(subject.CN)).toBe(id);
    }
    expect(secondaryIdOf('%E0%A4%A')).toBeUndefined();
    expect(secondaryIdOf(['a', 'b'])).toBeUndefined();
    expect(secondaryIdOf(undefined)).toBeUndefined();
  });
});
