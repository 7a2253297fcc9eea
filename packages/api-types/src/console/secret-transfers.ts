/**
 * Moving, copying, renaming, importing and exporting secrets and folders: sequences of writes that report every step
 * and undo the previous ones if one fails.
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
  namedFields,
  readErrors,
  secretPath,
} from './secret-names.ts';

/** Most secrets of one sequence. */
export const transferLimit = 2_000;

/** Largest import, in bytes. */
export const importLimitBytes = 16 * 1024 * 1024;

/**
 * `read` the source, `write` a version, `settings` of a secret (skipped by a copy if those at the destination can't be
 * read), `check` that the copy is identical, `remove` the
 * source; after a failure, `undo` the writes.
 */
export const stepActions = ['read', 'write', 'settings', 'check', 'remove', 'undo'] as const;

const step = z.object({
  kind: z.literal('step'),
  action: z.enum(stepActions),
  mount: z.string(),
  /** The secret that the step is about. */
  path: z.string(),
  /** The version read or written, if any. */
  version: z.nullable(z.int()),
  state: z.enum(['done', 'failed', 'skipped']),
  /** A sentence about a failure or remains; null if there is nothing to report. */
  detail: z.nullable(z.string()),
});

/** Sent before the first step. */
const plan = z.object({ kind: z.literal('plan'), secrets: z.int() });

const outcome = z.object({
  kind: z.literal('end'),
  /**
   * `undone`: a step failed and all changes were undone. `partly`: a step failed and some changes couldn't be undone;
   * nothing is lost, and the steps show what is where.
   */
  outcome: z.enum(['done', 'undone', 'partly']),
  /** Number of secrets written. */
  written: z.int(),
  /** Number of sources removed. */
  removed: z.int(),
  /** The problem code of the failed step. */
  code: z.nullable(z.string()),
  /** Why the step failed; of a finished sequence what wasn't copied, if anything. */
  detail: z.nullable(z.string()),
});

export const transferLine = z.discriminatedUnion('kind', [plan, step, outcome]);
export type TransferLine = z.output<typeof transferLine>;
export type TransferStep = z.output<typeof step>;
export type TransferEnd = z.output<typeof outcome>;

const place = z.strictObject({ mount: mountPath, path: secretPath });

/** A rename is a move within one folder. */
export const transferBody = z
  .strictObject({
    kind: z.enum(['secret', 'folder']),
    from: place,
    /** Must not exist; for a folder, no secret in it may have the same name. */
    to: place,
    mode: z.enum(['move', 'copy']),
    /**
     * `latest`: the newest version becomes version 1. `all`: all readable versions in order, with new numbers; deleted
     * and destroyed versions are not copied, and a move removes them with the source.
     */
    versions: z.enum(['latest', 'all']),
    /** For a secret: the newest version that the user saw; a newer one is a conflict. */
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

/** A secret of an export, or why it is missing. */
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

/** The first field names, for display, and the total number. */
export const importPreviewItem = z.object({
  path: z.string(),
  /** `deleted`: versions exist, but the newest is deleted. `unreadable`: the values can't be compared. */
  change: z.enum(['create', 'change', 'same', 'deleted', 'unreadable', 'denied']),
  /** The newest version as text, to be sent back with the entry; `0` if there is none. */
  revision: z.nullable(z.string()),
  /** Fields by how the import changes them; empty if values can't be compared. */
  added: namedFields,
  changed: namedFields,
  removed: namedFields,
  /** Why the entry can't be written. */
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
    /** Individual secrets, and all secrets in folders; an empty folder is the whole mount. */
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
    errors: readErrors,
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
    errors: changeErrors,
  }),
}));
