/**
 * Moving, copying and renaming of secrets and folders, and their import and export: sequences of many writes, which
 * say of each step what became of it and undo what they did when one fails.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/secrets.ts';
import { asSecret } from './field-kinds.ts';
import {
  changeErrors,
  dataText,
  environmentParams,
  folderPath,
  mountParams,
  mountPath,
  readErrors,
  secretPath,
} from './secret-names.ts';

/** Secrets of one sequence at most. */
export const transferLimit = 2_000;

/** Bytes of an import at most. */
export const importLimitBytes = 16 * 1024 * 1024;

/**
 * `read` the source, `write` a version, `settings` of a secret, `check` that the copy is the same, `remove` the source,
 * and when a step fails: `undo` what was written.
 */
export const stepActions = ['read', 'write', 'settings', 'check', 'remove', 'undo'] as const;

const step = z.object({
  kind: z.literal('step'),
  action: z.enum(stepActions),
  mount: z.string(),
  /** The secret that the step is about. */
  path: z.string(),
  /** The version that was read or written, where there is one. */
  version: z.nullable(z.int()),
  state: z.enum(['done', 'failed', 'skipped']),
  /** One sentence where there is something to say: why it failed, what was left behind. */
  detail: z.nullable(z.string()),
});

/** What there is to do, before the first step. */
const plan = z.object({ kind: z.literal('plan'), secrets: z.int() });

const outcome = z.object({
  kind: z.literal('end'),
  /**
   * `undone`: a step failed, and everything is as before. `partly`: a step failed and not everything could be undone;
   * nothing is lost, and the steps say what is where.
   */
  outcome: z.enum(['done', 'undone', 'partly']),
  /** Secrets that were written. */
  written: z.int(),
  /** Sources that were removed. */
  removed: z.int(),
  /** The problem's code of the step that failed. */
  code: z.nullable(z.string()),
  detail: z.nullable(z.string()),
});

export const transferLine = z.discriminatedUnion('kind', [plan, step, outcome]);
export type TransferLine = z.output<typeof transferLine>;
export type TransferStep = z.output<typeof step>;
export type TransferEnd = z.output<typeof outcome>;

const place = z.strictObject({ mount: mountPath, path: secretPath });

/** A rename is a move within a folder. */
export const transferBody = z
  .strictObject({
    kind: z.enum(['secret', 'folder']),
    from: place,
    /** Nothing may be there yet; of a folder: no secret of the same name. */
    to: place,
    mode: z.enum(['move', 'copy']),
    /**
     * `latest`: the newest version becomes version 1. `all`: every readable version in its order, under new numbers;
     * deleted and destroyed ones stay behind, and are removed with the source of a move.
     */
    versions: z.enum(['latest', 'all']),
    /** Of a secret: the newest version that the person saw; a newer one is a conflict. */
    revision: z.optional(z.string()),
  })
  .check(
    z.refine(({ from, to }) => from.mount !== to.mount || from.path !== to.path, {
      path: ['to', 'path'],
      message: 'The secret or folder is already at this path. Choose another path.',
    }),
    z.refine(
      ({ kind, from, to }) =>
        kind === 'secret' || from.mount !== to.mount || !to.path.startsWith(`${from.path}/`),
      { path: ['to', 'path'], message: "A folder can't be moved or copied into itself." },
    ),
  );
export type Transfer = z.input<typeof transferBody>;

/** One secret of an export, or why it is not there. */
export const exportLine = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('secret'), path: z.string(), version: z.int(), data: dataText }),
  z.object({ kind: z.literal('skipped'), path: z.string(), detail: z.string() }),
  z.object({ kind: z.literal('end'), secrets: z.int(), skipped: z.int() }),
  z.object({ kind: z.literal('failed'), code: z.string(), detail: z.string() }),
]);
export type ExportLine = z.output<typeof exportLine>;

const importEntry = z.strictObject({ path: secretPath, data: dataText });
const entriesCheck = [
  z.minLength(1, 'The file contains no secrets.'),
  z.maxLength(transferLimit, `You can import up to ${transferLimit} secrets at a time.`),
] as const;

/** Names of fields: the first of them, to be shown, and how many there are in all. */
const namedFields = z.object({ names: z.array(z.string()), count: z.int() });
export type NamedFields = z.output<typeof namedFields>;

export const importPreviewItem = z.object({
  path: z.string(),
  /** `deleted`: there are versions, of which the newest is deleted. `unreadable`: values cannot be compared. */
  change: z.enum(['create', 'change', 'same', 'deleted', 'unreadable', 'denied']),
  /** The newest version as a text: send it back with the entry; `0` where there is none. */
  revision: z.nullable(z.string()),
  /** Fields by what the import does to them; none where values cannot be compared. */
  added: namedFields,
  changed: namedFields,
  removed: namedFields,
  /** Why it cannot be written. */
  detail: z.nullable(z.string()),
});
export type ImportPreviewItem = z.output<typeof importPreviewItem>;

export const secretTransfers = defineResource(() => ({
  transfer: defineEndpoint(at.secretTransfers.transfer, {
    summary: 'Move or copy a secret or a folder, step by step; rolled back if a step fails',
    params: environmentParams,
    body: transferBody,
    response: transferLine,
    stream: true,
    errors: [...changeErrors, 'conflict'],
  }),
  export: defineEndpoint(at.secretTransfers.export, {
    summary: 'The newest values of secrets, one secret per line',
    params: mountParams,
    /** Single secrets, and every secret below folders; an empty folder is the whole mount. */
    body: z
      .strictObject({
        paths: z.optional(z.array(secretPath).check(z.maxLength(transferLimit))),
        folders: z.optional(z.array(folderPath).check(z.maxLength(100))),
      })
      .check(
        z.refine(({ paths, folders }) => (paths?.length ?? 0) + (folders?.length ?? 0) > 0, {
          path: ['paths'],
          message: 'Choose what to export.',
        }),
      ),
    response: exportLine,
    stream: true,
    errors: readErrors,
  }),
  previewImport: defineEndpoint(at.secretTransfers.previewImport, {
    summary: 'Preview an import: what it would create and change',
    params: mountParams,
    body: z.strictObject({ entries: asSecret(z.array(importEntry).check(...entriesCheck)) }),
    bodyLimitBytes: importLimitBytes,
    response: z.object({ items: z.array(importPreviewItem) }),
    errors: [...readErrors, 'payload-too-large'],
  }),
  import: defineEndpoint(at.secretTransfers.import, {
    summary: 'Import secrets, each based on the version the caller saw; rolled back if a step fails',
    params: mountParams,
    body: z.strictObject({
      entries: asSecret(
        z
          .array(
            z.strictObject({
              ...importEntry.shape,
              /** `0` for a new secret. */
              revision: z.string().check(z.regex(/^(?:0|[1-9]\d{0,9})$/)),
            }),
          )
          .check(...entriesCheck),
      ),
    }),
    bodyLimitBytes: importLimitBytes,
    response: transferLine,
    stream: true,
    errors: [...changeErrors, 'payload-too-large'],
  }),
}));
