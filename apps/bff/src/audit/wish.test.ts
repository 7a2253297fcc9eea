import { credentialStoreChanges } from '@gatehouse/api-types/console/credential-sources';
import { secretMembers } from '@gatehouse/api-types/console/secret-members';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { TokenSeal } from '#session/token-seal.ts';
import { openWish, sealWish } from './wish.ts';

/** Seals nothing, so that what would be sealed can be read. */
const open: TokenSeal = { seal: (text) => text, open: (text) => text, renew: () => undefined };
const sealed = (body: Record<string, unknown>): string =>
  sealWish(open, 'id', { operation: 'credentialStores.update', params: {}, body, revision: '1' });

test('the key of a client certificate is kept no more than the token is', () => {
  const canary = '-----BEGIN PRIVATE KEY-----\ncanary\n-----END PRIVATE KEY-----';
  const body = credentialStoreChanges.parse({
    name: 'store',
    attributes: { address: 'https://x.example', client_certificate_key: canary, token: 'canary' },
  });
  const text = sealed(body);
  expect(text).not.toContain('canary');
  expect(openWish(open, 'id', text, 'credential-store.update')).toEqual({
    operation: 'credentialStores.update',
    params: {},
    secret: true,
    body: { name: 'store', attributes: { address: 'https://x.example' } },
    revision: '1',
  });
});

test('no secret is kept, wherever it stands in a body; everything else is', () => {
  const leaf = fc.constantFrom('plain', 1, null);
  const { body } = fc.letrec<{ body: Record<string, unknown>; value: unknown }>((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie('value'), { maxLength: 3 }), tie('body')),
    body: fc.dictionary(fc.constantFrom('name', 'items', 'token'), tie('value'), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(body, (drawn) => {
      const wish = openWish(open, 'id', sealed(drawn), 'credential-store.update');
      const namesIn = (value: unknown): string[] =>
        Array.isArray(value)
          ? value.flatMap(namesIn)
          : typeof value === 'object' && value !== null
            ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
            : [];
      expect(namesIn(wish.body).filter((name) => secretMembers.has(name))).toEqual([]);
      expect(wish.secret).toBe(namesIn(drawn).some((name) => secretMembers.has(name)));
      if (!wish.secret) expect(wish.body).toEqual(JSON.parse(JSON.stringify(drawn)));
    }),
  );
});

/** Operations as the previous release sealed them, with the actions of their intents, and what they are called now. */
const formerNames = `
  authorizeSession target.authorize-session accessSessions.authorize
  authorizeSessionByName target.authorize-session accessSessions.authorize
  cancelAccessSession session.cancel accessSessions.cancel
  exportActivity activity.export activity.export
  settleActivity activity.settle activity.settle
  createBoxProvider box-provider.create boxProviders.create
  deleteBoxProvider box-provider.delete boxProviders.delete
  prepareBoxDownload box-provider.download boxProviders.prepareDownload
  updateBoxProvider box-provider.update boxProviders.update
  updateBoxSettings box-settings.update boxSettings.update
  createBoxToken box-token.create boxTokens.create
  deleteBoxToken box-token.delete boxTokens.delete
  validateBoxToken box-token.validate boxTokens.validate
  beginTwoFactor box-two-factor.begin boxTwoFactor.begin
  disableTwoFactor box-two-factor.disable boxTwoFactor.disable
  enableTwoFactor box-two-factor.enable boxTwoFactor.enable
  requestTwoFactorCode box-two-factor.request-code boxTwoFactor.requestCode
  resetTwoFactor box-two-factor.reset boxTwoFactor.reset
  createBoxVersion box-version.create boxVersions.create
  deleteBoxVersion box-version.delete boxVersions.delete
  releaseBoxVersion box-version.release boxVersions.release
  revokeBoxVersion box-version.revoke boxVersions.revoke
  updateBoxVersion box-version.update boxVersions.update
  createBox box.create boxes.create
  deleteBox box.delete boxes.delete
  updateBox box.update boxes.update
  connect connection.connect connections.connect
  disconnect connection.disconnect connections.disconnect
  createCredentialLibrary credential-library.create credentialLibraries.create
  deleteCredentialLibrary credential-library.delete credentialLibraries.delete
  updateCredentialLibrary credential-library.update credentialLibraries.update
  createCredentialStore credential-store.create credentialStores.create
  deleteCredentialStore credential-store.delete credentialStores.delete
  updateCredentialStore credential-store.update credentialStores.update
  createCredential credential.create credentials.create
  deleteCredential credential.delete credentials.delete
  updateCredential credential.update credentials.update
  createHostCatalog host-catalog.create hostCatalogs.create
  deleteHostCatalog host-catalog.delete hostCatalogs.delete
  updateHostCatalog host-catalog.update hostCatalogs.update
  changeHostSetHosts host-set.change-hosts hostSets.changeHosts
  createHostSet host-set.create hostSets.create
  deleteHostSet host-set.delete hostSets.delete
  updateHostSet host-set.update hostSets.update
  createHost host.create hosts.create
  deleteHost host.delete hosts.delete
  updateHost host.update hosts.update
  addMember organization-member.create organizationMembers.add
  changeMember organization-member.update organizationMembers.change
  removeMember organization-member.delete organizationMembers.remove
  createOrganization organization.create organizations.create
  deleteOrganization organization.delete organizations.delete
  updateOrganization organization.update organizations.update
  changeOwnPassword person.change-own-password people.changeOwnPassword
  createPerson person.create people.create
  deletePerson person.delete people.delete
  resetPassword person.reset-password people.resetPassword
  updatePerson person.update people.update
  abandonPublishRun publish-run.abandon publishRuns.abandon
  createPublishRun publish-run.create publishRuns.create
  publishBox publish-run.box publishRuns.publishBox
  publishProvider publish-run.provider publishRuns.publishProvider
  publishVersion publish-run.version publishRuns.publishVersion
  publishRelease publish-run.release publishRuns.release
  updatePublishRun publish-run.update publishRuns.update
  beginUpload publish-upload.create publishUploads.begin
  cancelUpload publish-upload.cancel publishUploads.cancel
  deliverUpload publish-upload.deliver publishUploads.deliver
  updateSecretEngine secret-engine.update secretEngines.update
  patchSecretMetadata secret-metadata.patch secretMetadata.patch
  updateSecretMetadata secret-metadata.update secretMetadata.update
  exportSecrets secret.export secretTransfers.export
  importSecrets secret.import secretTransfers.import
  previewSecretImport secret.preview-import secretTransfers.previewImport
  transferSecrets secret.transfer secretTransfers.transfer
  compareSecret secret.compare secrets.compare
  createSecret secret.create secrets.create
  deleteSecret secret.delete secrets.delete
  deleteSecretForever secret.delete-forever secrets.deleteForever
  deleteSecretVersions secret.delete-versions secrets.deleteVersions
  destroySecretVersions secret.destroy secrets.destroyVersions
  patchSecret secret.patch secrets.patch
  restoreSecret secret.restore secrets.restore
  revealSecret secret.reveal secrets.reveal
  undeleteSecretVersions secret.undelete secrets.undeleteVersions
  updateSecret secret.update secrets.update
  confirmSession console-session.confirm session.confirm
  signIn console-session.sign-in session.signIn
  signOut console-session.sign-out session.signOut
  endSession console-session.end sessions.end
  endOtherSessions console-session.end-others sessions.endOthers
  changeCredentialSources target.change-credential-sources targets.changeCredentialSources
  changeHostSources target.change-host-sources targets.changeHostSources
  createTarget target.create targets.create
  deleteTarget target.delete targets.delete
  updateTarget target.update targets.update
`
  .trim()
  .split('\n')
  .map((line): [string, string, string] => {
    const [former = '', action = '', name = ''] = line.trim().split(' ');
    return [former, action, name];
  });

test.each(formerNames)('a wish that was sealed as %s (%s) is one of %s', (former, action, name) => {
  const text = `{"operation":"${former}","params":{"environment":"test"},"secret":false,"body":{"a":1},"revision":"3"}`;
  expect(openWish(open, 'id', text, action)).toEqual({
    operation: name,
    params: { environment: 'test' },
    secret: false,
    body: { a: 1 },
    revision: '3',
  });
});

test('of two operations with one action each keeps its name', () => {
  const text =
    '{"operation":"accessSessions.authorizeByName","params":{},"secret":false,"body":{},"revision":null}';
  expect(openWish(open, 'id', text, 'target.authorize-session').operation).toBe(
    'accessSessions.authorizeByName',
  );
});
