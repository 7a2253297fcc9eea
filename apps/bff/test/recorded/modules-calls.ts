import { canary, type RecordedCall } from './recorded-call.ts';

/** Recorded calls of the module registry. */
export const modulesCalls = {
  'modules.verify': { record: 'none/none/none', paths: ['verified'], body: { verified: true } },
  'moduleVersions.publish': {
    record: 'none/none/none/1.0.0',
    paths: ['archive', 'description', 'source'],
    body: {
      archive: Buffer.from(canary).toString('base64'),
      description: canary,
      source: '',
    },
  },
  'moduleVersions.deprecate': {
    record: 'none/none/none/none',
    paths: ['state', 'message', 'replacement'],
    body: { state: 'revoked', message: canary, replacement: canary },
  },
  'moduleVersions.restore': { record: 'none/none/none/none' },
  'moduleVersions.delete': { record: 'none/none/none/none' },
  'moduleArchives.read': { body: { archive: Buffer.from(canary).toString('base64') } },
  'moduleTokens.create': {
    paths: ['description', 'password'],
    body: { description: canary, password: canary },
  },
  'moduleTokens.revoke': { record: 'none' },
} as const satisfies Readonly<Record<string, RecordedCall>>;
