/**
 * Image uploads to the registry. The browser sends an image to the console with tus 1.0 (`tusVersion`) at the upload's
 * address: HEAD, and PATCH with Upload-Offset. The console then delivers the complete image, and the page may be
 * closed.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/publish.ts';
import { problemCodes } from './problem.ts';
import { changeErrors, readErrors } from './registries.ts';
import { environmentId } from './service.ts';

export const tusVersion = '1.0.0';

/** Bytes that the page sends in one PATCH. */
export const uploadChunkBytes = 16 * 1024 * 1024;

/** Prefix of upload addresses. */
export const uploadsPath = '/api/uploads';

/**
 * `receiving` from the browser → `received` → `delivering` to the registry → `verifying` → `done`. `failed`: see
 * `problem` and `retry`. `cancelled` by the user. `expired` after a long time without bytes; must be sent again.
 */
export const uploadStates = [
  'receiving',
  'received',
  'delivering',
  'verifying',
  'done',
  'failed',
  'cancelled',
  'expired',
] as const;
export type UploadState = (typeof uploadStates)[number];

/** The most bytes of an image. */
export const mostImageBytes = 2 ** 43;

/** What the page knows about a picked file before hashing it. */
export const pickedFile = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  size: z
    .int()
    .check(z.gte(1, 'The file is empty.'), z.lte(mostImageBytes, 'The file is larger than 8 TiB.')),
  /** Milliseconds since the epoch, as reported by the browser. */
  last_modified: z.int(),
  /** SHA-256 of the size and the first and last mebibyte, in hexadecimal. Identifies a file that is picked again. */
  fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type PickedFile = z.output<typeof pickedFile>;

export const upload = z.object({
  id: z.string(),
  /** The console path to send the bytes to with tus. */
  path: z.string(),
  file: z.object({
    name: z.string(),
    size: z.int(),
    last_modified: z.int(),
    fingerprint: z.string(),
  }),
  state: z.enum(uploadStates),
  /** Bytes stored by the console. */
  received: z.int(),
  /** Bytes sent to the registry in the current delivery. */
  delivered: z.int(),
  /** Number of deliveries started. */
  attempts: z.int(),
  /** When the current delivery started; null before the first. */
  delivery_started_time: z.nullable(z.string()),
  /** Computed by the console during delivery; null before. */
  sha256: z.nullable(z.string()),
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
  /**
   * How to retry after a failure: `deliver` the console's copy again (`publishUploads.deliver`), or `send` the file
   * again.
   */
  retry: z.nullable(z.enum(['deliver', 'send'])),
  /** When the upload expires without further bytes or a delivery. Null during delivery and when finished. */
  expires_time: z.nullable(z.string()),
  /** When the delivery's token expires; null if never, or not reported. */
  token_expires_time: z.nullable(z.string()),
  created_time: z.string(),
  updated_time: z.string(),
});
export type Upload = z.output<typeof upload>;

const runProviderParams = z.strictObject({
  environment: environmentId,
  run: z.string().check(z.regex(/^pr_[0-9A-Za-z]{1,40}$/)),
  provider: z.string().check(z.regex(/^[0-9A-Za-z]{1,40}$/)),
});
export const publishUploads = defineResource(() => ({
  begin: defineEndpoint(at.publishUploads.begin, {
    summary:
      'Start uploading an image, or resume the unfinished upload of the same file. Reserves space for it',
    params: runProviderParams,
    body: pickedFile,
    response: upload,
    errors: [...readErrors, 'conflict', 'storage-full'],
  }),
  cancel: defineEndpoint(at.publishUploads.cancel, {
    summary: 'Discard an upload with the bytes received so far, or stop its delivery',
    params: runProviderParams,
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
  deliver: defineEndpoint(at.publishUploads.deliver, {
    summary: "Retry the delivery of a received image, with the caller's current token",
    params: runProviderParams,
    response: upload,
    errors: changeErrors,
  }),
  find: defineEndpoint(at.publishUploads.find, {
    summary: 'Your uploads of the same file, unfinished or published',
    params: z.strictObject({ environment: environmentId }),
    query: z.strictObject({
      size: z.coerce.number().check(z.int(), z.gte(0)),
      fingerprint: pickedFile.shape.fingerprint,
    }),
    response: z.object({
      uploads: z.array(
        z.object({
          run: z.string(),
          run_state: z.enum(['open', 'released', 'abandoned']),
          provider: z.string(),
          provider_name: z.string(),
          architecture: z.string(),
          /** Null if the run has none yet. */
          box: z.nullable(z.string()),
          version: z.nullable(z.string()),
          upload,
        }),
      ),
    }),
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
}));
