import { resource } from '#operation/operation.ts';
import { inRuns } from '#shared/publish/in-runs.ts';
import { beginUpload } from './begin-upload.ts';
import { cancelUpload } from './cancel-upload.ts';
import { deliverUpload } from './deliver-upload.ts';
import { findUpload } from './find-upload.ts';

export const publishUploadOperations = resource(inRuns, {
  'publishUploads.begin': beginUpload,
  'publishUploads.cancel': cancelUpload,
  'publishUploads.deliver': deliverUpload,
  'publishUploads.find': findUpload,
});
