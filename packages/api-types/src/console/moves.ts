/**
 * Moves: jobs that copy boxes or modules here from another registry with the same API. The console reads both
 * registries, shows a plan, and copies the chosen items directly, not through the browser. An item is a box or a
 * module; a piece is an image (version, provider, architecture) or a version's archive.
 *
 * A move belongs to the user who created it. Everyone signed in to the registry here sees that it exists, but only its
 * owner sees its items. Another user who resumes it with their own tokens becomes its owner, and it is planned again.
 */
import { list, record, scalar, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/moves.ts';
import { atMost } from './at-most.ts';
import { ownerName } from './box-names.ts';
import { asSecret } from './field-kinds.ts';
import {
  clashKinds,
  moveItemLimit,
  moveKinds,
  moveStates,
  noticeKinds,
  pauseReasons,
  pieceStates,
} from './move-values.ts';
import { problemCodes } from './problem.ts';
import { changeErrors, environmentParams, guardedErrors, readErrors } from './registries.ts';
import { environmentId } from './service.ts';

// Request bodies

/** Most owners (namespaces), and most boxes or modules, of one move. */
export const wantedLimit = 10_000;

/** `https://vagrantcloud.com`, `https://registry.terraform.io/`; http only for sources named in the configuration. */
const sourceAddress = z.string().check(
  z.trim(),
  z.minLength(1, 'Enter the registry address.'),
  atMost(2000, 'An address must be 2,000 characters or fewer.'),
  z.refine((text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return (
      text === '' ||
      (url !== undefined &&
        /^https?:$/.test(url.protocol) &&
        url.username === '' &&
        url.password === '' &&
        url.search === '' &&
        url.hash === '')
    );
  }, 'Enter an address such as https://vagrantcloud.com, without a user name, password, query or fragment.'),
);

/** Empty if the source needs none. Kept sealed while the move works, and deleted when it pauses or ends. */
const sourceToken = asSecret(
  z.string().check(z.trim(), z.maxLength(4096, 'A token must be 4,096 characters or fewer.')),
);

/**
 * `owner` (all of its boxes or modules), `owner/name` of a box, `namespace/name` or `namespace/name/provider` of
 * modules.
 */
const wantedName = z
  .string()
  .check(
    z.trim(),
    atMost(400),
    z.regex(
      /^[0-9A-Za-z](?:[0-9A-Za-z._-]*)(?:\/[0-9A-Za-z](?:[0-9A-Za-z._-]*)){0,2}$/,
      'Enter an owner or owner/name, or for modules namespace/name/provider.',
    ),
  );

export const newMove = z.strictObject({
  kind: z.enum(moveKinds),
  address: sourceAddress,
  token: sourceToken,
  wanted: z
    .array(wantedName)
    .check(
      z.minLength(1, 'Enter at least one owner, box or module.'),
      z.maxLength(wantedLimit, `A move can have up to ${wantedLimit} names.`),
    ),
});
export type NewMove = z.input<typeof newMove>;

/** As many as a move has items. */
const atMostItems = <Item extends z.ZodMiniType>(item: Item) =>
  z.array(item).check(z.maxLength(wantedLimit, `A choice can have up to ${wantedLimit} entries.`));

/** Most providers, and most architectures, of a choice that doesn't include all. */
const chosenLimit = 1_000;
const chosenNames = z
  .array(z.string())
  .check(z.maxLength(chosenLimit, `Choose up to ${chosenLimit} names, or all.`));

/** Which parts of the plan are copied, and how. */
export const moveChoice = z.strictObject({
  /** Items by ID. */
  items: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all-but'), ids: atMostItems(z.string()) }),
    z.strictObject({ kind: z.literal('only'), ids: atMostItems(z.string()) }),
  ]),
  versions: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all') }),
    /** The given number of newest versions of each item. */
    z.strictObject({ kind: z.literal('newest'), count: z.int().check(z.gte(1), z.lte(1000)) }),
    /** This version and newer ones. */
    z.strictObject({ kind: z.literal('since'), version: z.string().check(z.minLength(1), z.maxLength(100)) }),
  ]),
  /** For boxes: names of the providers and architectures to copy; null for all. */
  providers: z.nullable(chosenNames),
  architectures: z.nullable(chosenNames),
  /** Owners (namespaces) with another name here; the others keep theirs. */
  owners: atMostItems(z.strictObject({ from: z.string(), to: ownerName })),
  /** For boxes with images at other addresses: copy only the address, or the image. */
  links: z.enum(['keep', 'copy']),
  /** For created boxes: private as at the source, or all private. */
  privacy: z.enum(['as-there', 'private']),
});
export type MoveChoice = z.output<typeof moveChoice>;

/** How two edits of a choice merge. */
export const moveChoicePolicy: RecordPolicy = record({
  items: scalar,
  versions: scalar,
  providers: scalar,
  architectures: scalar,
  owners: list('from', record({ from: scalar, to: scalar })),
  links: scalar,
  privacy: scalar,
});

// Progress and results

const count = z.int();
/** In bytes, as far as known. */
const bytes = z.int();

/** Number of pieces by state. */
export const pieceCounts = z.object({
  missing: count,
  'left-out': count,
  here: count,
  clash: count,
  waiting: count,
  copying: count,
  copied: count,
  linked: count,
  'not-copied': count,
  failed: count,
});
export type PieceCounts = z.output<typeof pieceCounts>;

export const move = z.object({
  /** `mv_…` */
  id: z.string(),
  /** Incremented by changes of the plan or the choice, not by progress. */
  revision: z.string(),
  kind: z.enum(moveKinds),
  state: z.enum(moveStates),
  /** Why it is paused and what to do, in a sentence; null otherwise. */
  pause: z.nullable(
    z.object({ reason: z.enum(pauseReasons), detail: z.string(), while: z.enum(['planning', 'copying']) }),
  ),
  /** When it continues after the source's rate limit (429) or silence; null if it doesn't wait. */
  waits_until: z.nullable(z.string()),
  source: z.object({
    /** The address without the end of its path. */
    address: z.string(),
    /** Whether a token is stored for it at present. */
    has_token: z.boolean(),
    /** Whether the last reading used a token, which must then be entered again to resume after a pause. */
    used_token: z.boolean(),
  }),
  wanted: z.array(z.string()),
  /** The move's owner, and whether that is the caller. */
  owner: z.object({ person: z.string(), name: z.string(), is_you: z.boolean() }),
  choice: moveChoice,
  /** Progress of planning. */
  planning: z.nullable(z.object({ read: count, found: count })),
  items: z.object({
    total: count,
    chosen: count,
    /** Chosen items with nothing left to do. */
    finished: count,
    /** Chosen items whose newest release can already be used here. */
    usable: count,
    /** Chosen items that the source did not return. */
    unread: count,
    /** Items with pieces left to copy. */
    to_copy: count,
    /** Items with copied pieces. */
    copied: count,
    /** Items with clashes, not counting unread items. */
    with_clashes: count,
  }),
  /** Names to choose from in the plan, unique and sorted; modules have no providers or architectures. */
  found: z.object({
    owners: z.array(z.string()),
    providers: z.array(z.string()),
    architectures: z.array(z.string()),
  }),
  versions: count,
  /** Existing released versions that the remaining pieces are added to; 0 while the move works. */
  joined_releases: count,
  pieces: pieceCounts,
  /** Bytes of chosen pieces that must be copied, as far as their sizes are known. */
  bytes: z.object({
    total: bytes,
    copied: bytes,
    /** Number of pieces whose size the source doesn't report. */
    unknown: count,
  }),
  /** Recent bytes per second; null while nothing is copied. */
  rate: z.nullable(z.number()),
  /** Seconds until it is done; null if unknown. */
  seconds_left: z.nullable(z.int()),
  /** The server address for clients after the move (`VAGRANT_SERVER_URL`, or the host of modules); null if unknown. */
  server_url: z.nullable(z.string()),
  /** When both registries were last compared; null if never. */
  planned_time: z.nullable(z.string()),
  created_time: z.string(),
  updated_time: z.string(),
  /** Events, newest first; at most 200. Empty for another user's move. */
  log: z.array(
    z.object({
      time: z.string(),
      /** The item that the event is about; null for the whole move. */
      item: z.nullable(z.string()),
      text: z.string(),
      failed: z.boolean(),
    }),
  ),
});
export type Move = z.output<typeof move>;

/** A move in the list and the task tray. */
export const moveSummary = z.object(
  z.omit(move, { log: true, wanted: true, choice: true, found: true, joined_releases: true }).shape,
);
export type MoveSummary = z.output<typeof moveSummary>;

/** A sentence about a clash or notice of an item, and how the move handles it. */
export const moveClash = z.object({
  what: z.enum([...clashKinds, ...noticeKinds]),
  detail: z.string(),
  /** How the move handles it. */
  done: z.string(),
});
export type MoveClash = z.output<typeof moveClash>;

/** A box or module of the plan, without its versions. */
export const moveItem = z.object({
  id: z.string(),
  /** At the source: `owner/name`, `namespace/name/provider`. */
  name: z.string(),
  /** The name here. */
  name_here: z.string(),
  chosen: z.boolean(),
  /** Whether a record of that name already exists here. */
  is_here: z.boolean(),
  is_private: z.nullable(z.boolean()),
  short_description: z.string(),
  versions: count,
  newest: z.nullable(z.string()),
  /** For boxes, of all versions. */
  providers: z.array(z.string()),
  architectures: z.array(z.string()),
  pieces: pieceCounts,
  bytes: z.object({ total: bytes, copied: bytes, unknown: count }),
  clashes: z.array(moveClash),
  /** A problem of the item itself, in a sentence; null if there is none. */
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
});
export type MoveItem = z.output<typeof moveItem>;

export const movePiece = z.object({
  id: z.string(),
  /** For boxes; empty for modules. */
  provider: z.string(),
  /** Empty if the source doesn't report it. */
  architecture: z.string(),
  is_default: z.nullable(z.boolean()),
  state: z.enum(pieceStates),
  /** The reason and what to do, in a sentence; empty if the state says it all. */
  detail: z.string(),
  size: z.nullable(bytes),
  /** Bytes copied so far, including those in transit. */
  copied: bytes,
  /** As reported by the source; empty if it reports none. */
  checksum: z.string(),
  checksum_type: z.string(),
  /** Of the copy, in hexadecimal; empty until it is copied. */
  sha256: z.string(),
});
export type MovePiece = z.output<typeof movePiece>;

export const moveVersion = z.object({
  version: z.string(),
  /** At the source: `unreleased`, `active`, `revoked`; for modules `active`, `deprecated` or `revoked`. */
  status: z.string(),
  /** The status here; null if it isn't here. */
  status_here: z.nullable(z.string()),
  chosen: z.boolean(),
  differs: z.array(z.string()),
  pieces: z.array(movePiece),
});
export type MoveVersion = z.output<typeof moveVersion>;

/** A line of the report: a piece, its state and its address; or, without a version, an item that could not be read. */
export const moveReportLine = z.object({
  item: z.string(),
  item_here: z.string(),
  version: z.string(),
  provider: z.string(),
  architecture: z.string(),
  state: z.enum(pieceStates),
  detail: z.string(),
  size: z.nullable(bytes),
  checksum: z.string(),
  checksum_type: z.string(),
  sha256: z.string(),
  /** The address for clients here; empty if it isn't here. */
  url_here: z.string(),
  /** When the state was last checked. */
  time: z.string(),
});
export type MoveReportLine = z.output<typeof moveReportLine>;

export const moveParams = z.strictObject({
  environment: environmentId,
  move: z.string().check(z.regex(/^mv_[0-9A-Za-z]{1,40}$/)),
});
export const moveItemParams = z.strictObject({
  ...moveParams.shape,
  item: z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/)),
});

const ownErrors = ['unauthenticated', 'not-found', 'forbidden', 'invalid-request'] as const;

export const moves = defineResource(() => ({
  list: defineEndpoint(at.moves.list, {
    summary: 'The moves of an environment, newest first; ended ones if requested',
    params: environmentParams,
    query: z.strictObject({ ended: z.optional(z.stringbool()) }),
    response: z.object({ moves: z.array(moveSummary) }),
    errors: ownErrors,
  }),
  get: defineEndpoint(at.moves.get, {
    summary: 'A move: its plan in numbers, its choice, its progress and its log',
    params: moveParams,
    response: move,
    errors: ownErrors,
  }),
  items: defineEndpoint(at.moves.items, {
    summary: 'A page of the boxes or modules of a move, by name',
    params: moveParams,
    query: z.strictObject({
      q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
      /**
       * Items with at least one piece in this state (`failed` includes items that could not be read), with clashes
       * (`clashes`), or that differ from those here (`differs`).
       */
      show: z.optional(z.enum([...pieceStates, 'clashes', 'differs'])),
      offset: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(1_000_000))),
      limit: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(moveItemLimit))),
    }),
    response: z.object({ items: z.array(moveItem), total: count, next_offset: z.nullable(count) }),
    errors: ownErrors,
  }),
  item: defineEndpoint(at.moves.item, {
    summary: 'A box or a module of a move with its versions and their pieces, newest first',
    params: moveItemParams,
    response: z.object({ item: moveItem, versions: z.array(moveVersion) }),
    errors: ownErrors,
  }),
  create: defineEndpoint(at.moves.create, {
    summary: 'Create a move: both registries are read, and nothing is copied until it is started',
    params: environmentParams,
    body: newMove,
    bodyLimitBytes: 5 * 1024 * 1024,
    response: move,
    errors: readErrors,
  }),
  choose: defineEndpoint(at.moves.choose, {
    summary: 'Choose what to copy, and how; only while nothing is being copied',
    params: moveParams,
    body: moveChoice,
    response: move,
    errors: guardedErrors,
    guarded: true,
  }),
  start: defineEndpoint(at.moves.start, {
    summary: "Copy what was chosen, with the caller's token of the registry here",
    params: moveParams,
    body: z.strictObject({ token: sourceToken }),
    response: move,
    errors: changeErrors,
  }),
  pause: defineEndpoint(at.moves.pause, {
    summary: 'Pause a move; partly received images resume where they stopped',
    params: moveParams,
    response: move,
    errors: ownErrors,
  }),
  resume: defineEndpoint(at.moves.resume, {
    summary: "Resume a paused move with the caller's tokens; the caller becomes its owner",
    params: moveParams,
    body: z.strictObject({ token: sourceToken }),
    response: move,
    errors: changeErrors,
  }),
  retry: defineEndpoint(at.moves.retry, {
    summary: 'Retry failed items: one, or all',
    params: moveParams,
    body: z.strictObject({ item: z.nullable(z.string()), token: sourceToken }),
    response: move,
    errors: changeErrors,
  }),
  compare: defineEndpoint(at.moves.compare, {
    summary: 'Compare both registries again; nothing is copied',
    params: moveParams,
    body: z.strictObject({ token: sourceToken }),
    response: move,
    errors: changeErrors,
  }),
  abandon: defineEndpoint(at.moves.abandon, {
    summary: 'Abandon a move: transfers in progress are discarded, what was copied stays',
    params: moveParams,
    response: move,
    errors: ownErrors,
  }),
  report: defineEndpoint(at.moves.report, {
    summary: 'Every item of a move and its outcome, one per line',
    params: moveParams,
    response: moveReportLine,
    stream: true,
    errors: ownErrors,
  }),
}));
