/** The operations of publishing. */
import type { Operations } from '#operation/operation.ts';
import { beginUpload, cancelUpload, deliverUpload, findUpload } from '../uploads/uploads.ts';
import { publishBox } from './publish-box.ts';
import { publishProvider } from './publish-provider.ts';
import { publishRelease } from './publish-release.ts';
import { publishVersion } from './publish-version.ts';
import {
  abandonPublishRun,
  createPublishRun,
  getPublishRun,
  listPublishRuns,
  updatePublishRun,
} from './runs.ts';

export const publishOperations = {
  listPublishRuns,
  getPublishRun,
  createPublishRun,
  updatePublishRun,
  publishBox,
  publishVersion,
  publishProvider,
  publishRelease,
  abandonPublishRun,
  beginUpload,
  cancelUpload,
  deliverUpload,
  findUpload,
} satisfies Partial<Operations>;
