/**
 * Moves: jobs that bring boxes or modules here from another registry that speaks the same API. The console reads both
 * registries, says what it would do, and copies what was chosen from one to the other; no byte goes through the browser.
 * An item is a box or a module; a piece is an image (version, provider, architecture) or the archive of a version.
 *
 * A move belongs to whom it was begun by. Whoever is signed in to the registry here sees that it exists; its items are shown to
 * its owner alone. Another person who resumes it with tokens of their own becomes its owner, and it is planned again.
 */
import { list, record, scalar, type RecordPolicy } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/moves.ts';
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

// What a person asks for

/** Owners (namespaces), and boxes or modules, of one move at most. */
export const wantedLimit = 10_000;

/** `https://vagrantcloud.com`, `https://registry.terraform.io/`; http only where the configuration names the source. */
const sourceAddress = z.string().check(
  z.trim(),
  z.minLength(1, 'Enter the registry address.'),
  z.maxLength(2000, 'An address must be 2,000 characters or fewer.'),
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

/** Empty where the source is read without one. It is kept sealed while the move works, and dropped whenever it rests. */
const sourceToken = asSecret(
  z.string().check(z.trim(), z.maxLength(4096, 'A token must be 4,096 characters or fewer.')),
);

/** `owner` (all of theirs), `owner/name` of a box, `namespace/name` or `namespace/name/provider` of modules. */
const wantedName = z
  .string()
  .check(
    z.trim(),
    z.maxLength(400),
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

/** What of the plan is copied, and how. */
export const moveChoice = z.strictObject({
  /** Items by their ids. */
  items: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all-but'), ids: z.array(z.string()) }),
    z.strictObject({ kind: z.literal('only'), ids: z.array(z.string()) }),
  ]),
  versions: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('all') }),
    /** The newest of each item. */
    z.strictObject({ kind: z.literal('newest'), count: z.int().check(z.gte(1), z.lte(1000)) }),
    /** This one and those after it. */
    z.strictObject({ kind: z.literal('since'), version: z.string().check(z.minLength(1), z.maxLength(100)) }),
  ]),
  /** Of boxes: the names of providers and architectures that are copied; null for all. */
  providers: z.nullable(z.array(z.string())),
  architectures: z.nullable(z.array(z.string())),
  /** Owners (namespaces) that are called otherwise here; the others keep their names. */
  owners: z.array(z.strictObject({ from: z.string(), to: ownerName })),
  /** Of boxes whose images are elsewhere: their address alone, or the image. */
  links: z.enum(['keep', 'copy']),
  /** Of boxes that are created: private as they are there, or all of them private. */
  privacy: z.enum(['as-there', 'private']),
});
export type MoveChoice = z.output<typeof moveChoice>;

/** How two edits of one choice merge. */
export const moveChoicePolicy: RecordPolicy = record({
  items: scalar,
  versions: scalar,
  providers: scalar,
  architectures: scalar,
  owners: list('from', record({ from: scalar, to: scalar })),
  links: scalar,
  privacy: scalar,
});

// What comes of it

const count = z.int();
/** Bytes; what is known of them. */
const bytes = z.int();

/** Pieces by their state. */
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
  /** Counts the changes of its plan and its choice; progress does not change it. */
  revision: z.string(),
  kind: z.enum(moveKinds),
  state: z.enum(moveStates),
  /** Why it is paused, and what to do, in a sentence; null otherwise. */
  pause: z.nullable(
    z.object({ reason: z.enum(pauseReasons), detail: z.string(), while: z.enum(['planning', 'copying']) }),
  ),
  /** Until when it waits because the source said so (429), or did not answer; null when it does not wait. */
  waits_until: z.nullable(z.string()),
  source: z.object({
    /** The address without its path's end. */
    address: z.string(),
    /** Whether a token is kept for it now. */
    has_token: z.boolean(),
    /** Whether it was last read with one: then it is asked for again whenever the move goes on after a rest. */
    used_token: z.boolean(),
  }),
  wanted: z.array(z.string()),
  /** Whose it is, and whether that is the caller. */
  owner: z.object({ person: z.string(), name: z.string(), is_you: z.boolean() }),
  choice: moveChoice,
  /** Of the plan: how far it was read. */
  planning: z.nullable(z.object({ read: count, found: count })),
  items: z.object({
    total: count,
    chosen: count,
    /** Of the chosen ones: those of which nothing is left to do. */
    finished: count,
    /** Of the chosen ones: those whose newest release can be used here already. */
    usable: count,
    /** Of the chosen ones: those that the source did not give. */
    unread: count,
    /** Those with pieces that are left to copy. */
    to_copy: count,
    /** Those with pieces that were copied. */
    copied: count,
    /** Those with something in their way, without the unread ones. */
    with_clashes: count,
  }),
  /** Names that the plan has to choose from, each once and sorted; of modules no providers and no architectures. */
  found: z.object({
    owners: z.array(z.string()),
    providers: z.array(z.string()),
    architectures: z.array(z.string()),
  }),
  versions: count,
  /** Versions that are released here already, and that what is left to copy adds to; 0 unless it rests. */
  joined_releases: count,
  pieces: pieceCounts,
  /** Of chosen pieces that have to be copied, as far as sizes are known. */
  bytes: z.object({
    total: bytes,
    copied: bytes,
    /** Pieces whose size the source did not tell. */
    unknown: count,
  }),
  /** Bytes a second of late; null while nothing is copied. */
  rate: z.nullable(z.number()),
  /** Seconds until it is done; null where nobody can tell. */
  seconds_left: z.nullable(z.int()),
  /** What clients are told to use as their server once all is here (`VAGRANT_SERVER_URL`, or the host of modules); null where unknown. */
  server_url: z.nullable(z.string()),
  /** When both registries were last compared; null before. */
  planned_time: z.nullable(z.string()),
  created_time: z.string(),
  updated_time: z.string(),
  /** What happened, the newest first; 200 at most. Empty of a move of somebody else. */
  log: z.array(
    z.object({
      time: z.string(),
      /** The item that it is about; null for the move as a whole. */
      item: z.nullable(z.string()),
      text: z.string(),
      failed: z.boolean(),
    }),
  ),
});
export type Move = z.output<typeof move>;

/** As the list and the task tray show it. */
export const moveSummary = z.object(
  z.omit(move, { log: true, wanted: true, choice: true, found: true, joined_releases: true }).shape,
);
export type MoveSummary = z.output<typeof moveSummary>;

/** One thing that stands in the way of an item, or is worth knowing, in a sentence; and what is done about it. */
export const moveClash = z.object({
  what: z.enum([...clashKinds, ...noticeKinds]),
  detail: z.string(),
  /** What is done about it. */
  done: z.string(),
});
export type MoveClash = z.output<typeof moveClash>;

/** A box or a module of the plan, without its versions. */
export const moveItem = z.object({
  id: z.string(),
  /** At the source: `owner/name`, `namespace/name/provider`. */
  name: z.string(),
  /** Here. */
  name_here: z.string(),
  chosen: z.boolean(),
  /** Whether a record of that name is here already. */
  is_here: z.boolean(),
  is_private: z.nullable(z.boolean()),
  short_description: z.string(),
  versions: count,
  newest: z.nullable(z.string()),
  /** Of boxes, over all versions. */
  providers: z.array(z.string()),
  architectures: z.array(z.string()),
  pieces: pieceCounts,
  bytes: z.object({ total: bytes, copied: bytes, unknown: count }),
  clashes: z.array(moveClash),
  /** What went wrong with the item itself, in a sentence; null when nothing did. */
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
});
export type MoveItem = z.output<typeof moveItem>;

export const movePiece = z.object({
  id: z.string(),
  /** Of boxes; empty of modules. */
  provider: z.string(),
  /** Empty where the source does not tell. */
  architecture: z.string(),
  is_default: z.nullable(z.boolean()),
  state: z.enum(pieceStates),
  /** Why, and what to do, in a sentence; empty where the state says it all. */
  detail: z.string(),
  size: z.nullable(bytes),
  /** Bytes of it that are here, or on their way. */
  copied: bytes,
  /** As the source gives it; empty where it gives none. */
  checksum: z.string(),
  checksum_type: z.string(),
  /** Of what was copied, in hexadecimal; empty before. */
  sha256: z.string(),
});
export type MovePiece = z.output<typeof movePiece>;

export const moveVersion = z.object({
  version: z.string(),
  /** At the source: `unreleased`, `active`, `revoked`; of modules `active`, `deprecated` or `revoked`. */
  status: z.string(),
  /** Here; null where it is not here. */
  status_here: z.nullable(z.string()),
  chosen: z.boolean(),
  differs: z.array(z.string()),
  pieces: z.array(movePiece),
});
export type MoveVersion = z.output<typeof moveVersion>;

/** One line of the report: a piece, what came of it, and where it is; or an item that could not be read, without a version. */
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
  /** Where clients get it here; empty where it is not here. */
  url_here: z.string(),
  /** When that was last known. */
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
      /** Those with at least one piece in this state (`failed`: and those that could not be read), or with something in their way (`clashes`), or that differ from what is here (`differs`). */
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
