/**
 * Images on their way to the registry. The browser sends one to the console by tus 1.0 (`tusVersion`) at the address
 * of the upload: HEAD, and PATCH with Upload-Offset. When all is there the console delivers it by itself, and the
 * page may be closed.
 */
import * as z from 'zod/mini';
import { defineEndpoint, defineResource } from '../contract.ts';
import * as at from './addresses/publish.ts';
import { problemCodes } from './problem.ts';
import { changeErrors, readErrors } from './registries.ts';
import { environmentId } from './service.ts';

export const tusVersion = '1.0.0';

/** Bytes that a page sends in one PATCH. */
export const uploadChunkBytes = 16 * 1024 * 1024;

/** Below it each upload has its address. */
export const uploadsPath = '/api/uploads';

/**
 * `receiving` from the browser → `received` → `delivering` to the registry → `verifying` → `done`. `failed`: see
 * `problem` and `retry`. `cancelled` by the person, `expired` when nothing came for long: send it again.
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

/** What a page knows of a picked file before its bytes are hashed. */
export const pickedFile = z.strictObject({
  name: z.string().check(z.minLength(1), z.maxLength(255)),
  /** Bytes. */
  size: z.int().check(z.gte(1, 'The file is empty.'), z.lte(2 ** 43, 'The file is larger than 8 TiB.')),
  /** Milliseconds since the epoch, as the browser tells. */
  last_modified: z.int(),
  /** SHA-256 over the size and the first and last mebibyte, in hexadecimal: the same file picked again has the same. */
  fingerprint: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});
export type PickedFile = z.output<typeof pickedFile>;

export const upload = z.object({
  id: z.string(),
  /** Where the bytes go: a path of the console, for tus. */
  path: z.string(),
  file: z.object({
    name: z.string(),
    size: z.int(),
    last_modified: z.int(),
    fingerprint: z.string(),
  }),
  state: z.enum(uploadStates),
  /** Bytes that are safe at the console. */
  received: z.int(),
  /** Bytes that were handed to the registry in the present delivery. */
  delivered: z.int(),
  /** Deliveries begun so far. */
  attempts: z.int(),
  /** When the present delivery began; null before the first. */
  delivery_started_time: z.nullable(z.string()),
  /** Computed by the console while delivering; null before. */
  sha256: z.nullable(z.string()),
  problem: z.nullable(z.object({ code: z.enum(problemCodes), detail: z.string() })),
  /** What to do about a failure: `deliver` again what is at the console (`publishUploads.deliver`), or `send` the file again. */
  retry: z.nullable(z.enum(['deliver', 'send'])),
  /** When it is forgotten if nothing comes of it: no more bytes, or no delivery. Null while it is delivered, and at its end. */
  expires_time: z.nullable(z.string()),
  /** When the token of the delivery ends; null where it does not, or is not told. */
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
      'The upload of an image: a new one, or the unfinished one of the same file; space is reserved for it',
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
          /** Null while the run has none. */
          box: z.nullable(z.string()),
          version: z.nullable(z.string()),
          upload,
        }),
      ),
    }),
    errors: ['unauthenticated', 'not-found', 'invalid-request'],
  }),
}));
