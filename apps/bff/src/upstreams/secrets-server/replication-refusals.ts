/** The console's words for refusals of replication, as far as users can do something about them. */
import type { RefusalRule } from './refusals.ts';

/** Reasons that apply to any operation of replication. */
const everyRule: readonly RefusalRule[] = [
  {
    says: /unavailable in namespaces|root namespace/i,
    code: 'forbidden',
    means: 'Replication can only be read and changed in the root namespace.',
  },
  {
    says: /unsupported (?:path|operation)|\benterprise (?:feature|licen[cs]e)|not licen[cs]ed/i,
    means: "This server doesn't support replication, or doesn't support this operation.",
  },
];

/** The cluster's role doesn't allow the change. */
const roleRules: readonly RefusalRule[] = [
  {
    says: /already (?:a|enabled as a?) ?primary/i,
    means: 'This cluster is already a primary.',
  },
  {
    says: /is a secondary\. Promote it/i,
    means: 'This cluster is a secondary. Promote it instead of enabling it.',
  },
  {
    says: /already (?:a|enabled as a?) ?secondary/i,
    means: 'This cluster is already a secondary. Change its primary instead.',
  },
  {
    says: /is a secondary, and only a primary|not (?:a )?primary/i,
    means: 'Only a primary can do this, and this cluster is a secondary.',
  },
  {
    says: /is a primary\. Disable it/i,
    means: 'This cluster is a primary. Disable it first, or demote it and change its primary.',
  },
  {
    says: /is a primary\. Demote it|not (?:a )?secondary/i,
    means: 'Only a secondary can do this, and this cluster is a primary.',
  },
  {
    says: /replication is disabled|replication (?:is )?not enabled/i,
    means: 'Replication is disabled on this cluster.',
  },
  {
    says: /\bno secondary "|neither the identifier/i,
    code: 'not-found',
    means: 'The primary has no secondary with this identifier.',
  },
  {
    says: /cluster port cannot be used/i,
    means: "The server can't open its cluster port: something else may be using it. Nothing was changed.",
  },
];

/** A secondary can't use an activation. */
const activationRules: readonly RefusalRule[] = [
  {
    says: /doesn't respond at its cluster address/i,
    means:
      "The secondary got no response at the primary's cluster address. Nothing was changed. Check the address and the network between the clusters.",
  },
  {
    says: /^ca_file and ca_path/im,
    field: 'ca_path',
    means: 'Enter a CA file or a CA directory, not both.',
  },
  {
    says: /^ca_file (?!and )/im,
    field: 'ca_file',
    means:
      "The secondary's server can't use this CA file. Check that it exists on that server, is readable, and contains PEM certificates.",
  },
  {
    says: /^ca_path /im,
    field: 'ca_path',
    means:
      "The secondary's server can't use this CA directory. Check that it exists on that server, is readable, and contains PEM certificates.",
  },
  {
    says: /is not an http or https address|has no API address/i,
    field: 'primary_api_addr',
    means: "Enter the primary's API address.",
  },
  {
    says: /can't be reached|x509: /i,
    field: 'primary_api_addr',
    means:
      "The secondary can't reach the primary's API address, or doesn't trust its certificate. Nothing was changed.",
  },
  {
    says: /refused the activation token|token has expired|isn't an activation token|wrapping token is not valid/i,
    means:
      "The activation token wasn't accepted: it may have expired or already been used. Nothing was changed. Create a new one.",
  },
  { says: /cannot follow itself/i, field: 'primary', means: "A cluster can't follow itself." },
  {
    says: /update_primary_addrs has more than/i,
    field: 'addresses',
    means: 'Enter at most 16 addresses.',
  },
  {
    says: /none of .* answered/i,
    field: 'addresses',
    means: "The primary doesn't respond at any of these addresses. Nothing was changed.",
  },
  {
    says: /no primary whose addresses/i,
    means: 'This cluster has no primary. Choose the environment of a new primary.',
  },
];

/** Why a promotion could lose writes, or create a second primary. The field shows that it can be forced. */
const promotionRules: readonly RefusalRule[] = [
  [
    'snapshot is incomplete',
    "This cluster hasn't received all records yet: it has a mixture of old and new records.",
  ],
  [
    'paths filter excludes',
    "This cluster doesn't have all records: a filter excludes some mounts and namespaces, or the cluster is still receiving them.",
  ],
  [
    'may have been promoted',
    'A secondary that had all writes is no longer connected and may have been promoted. With two primaries, writes may be lost.',
  ],
  [
    'former primary is the primary again',
    'The former primary is the primary again, or is being promoted at the same moment. If neither cluster is the primary, try again.',
  ],
  ['follows no primary', 'This cluster follows no primary, so which writes it lacks is unknown.'],
  [
    'primary at .* is running',
    'The primary is running, and with two primaries, writes may be lost. Demote that primary first.',
  ],
  [
    'of the demoted primary',
    "This cluster doesn't have all writes of the demoted primary yet. Wait until it does.",
  ],
  [
    'and never has',
    "The primary doesn't respond and never has, so which writes are missing here is unknown.",
  ],
  ['it last reported', "The primary doesn't respond, and has writes that this cluster lacks."],
].map(([says = '', means = '']) => ({ says: new RegExp(says, 'i'), means, field: 'force' }));

/** Why a change is refused. */
export const changeRules: readonly RefusalRule[] = [
  ...promotionRules,
  ...activationRules,
  ...roleRules,
  ...everyRule,
];

/** Why an identifier can't be used for a second secondary. */
export const identifierTaken =
  'The primary already has a secondary with this identifier. Choose another identifier, or revoke that secondary first.';

const taken: RefusalRule = { says: /already|in use|exists/i, field: 'id', means: identifierTaken };

/** Why a primary creates no activation. */
export const tokenRules: readonly RefusalRule[] = [
  ...roleRules,
  taken,
  { says: /^id must/im, field: 'id', means: "The server doesn't accept this identifier." },
  { says: /ttl/i, field: 'ttl', means: "The server doesn't accept this TTL." },
  {
    says: /public_key/i,
    field: 'secondary_public_key',
    means: "This isn't a secondary's public key.",
  },
  ...everyRule,
];

/** Why a read is refused. */
export const readRules: readonly RefusalRule[] = [
  ...everyRule,
  {
    says: /snapshot is being received/i,
    means: 'This cluster is receiving all records. Its digest is available once they have arrived.',
  },
  ...roleRules,
];

/** Why no canary is written. */
export const canaryRules: readonly RefusalRule[] = [
  { says: /unsupported (?:path|operation)/, means: "This server can't write canaries." },
  ...everyRule,
  ...roleRules,
];

/** Why lost writes aren't deleted. */
export const lostRules: readonly RefusalRule[] = [
  { says: /unsupported (?:path|operation)/, means: "This server can't delete lost writes." },
  ...everyRule,
];

/** Why a filter isn't saved. */
export const filterRules: readonly RefusalRule[] = [
  ...everyRule,
  {
    says: /no (?:such )?mount|unknown (?:path|mount)/i,
    field: 'paths',
    means: 'Nothing exists at one of these paths.',
  },
  ...roleRules,
];
