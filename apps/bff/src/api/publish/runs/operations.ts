import { resource } from '#operation/operation.ts';
import { inRuns } from '#shared/publish/in-runs.ts';
import { abandonPublishRun } from './abandon-publish-run.ts';
import { createPublishRun } from './create-publish-run.ts';
import { getPublishRun } from './get-publish-run.ts';
import { listPublishRuns } from './list-publish-runs.ts';
import { publishBox } from './publish-box.ts';
import { publishProvider } from './publish-provider.ts';
import { publishRelease } from './publish-release.ts';
import { publishVersion } from './publish-version.ts';
import { updatePublishRun } from './update-publish-run.ts';

export const publishRunOperations = resource(inRuns, {
  'publishRuns.list': listPublishRuns,
  'publishRuns.get': getPublishRun,
  'publishRuns.create': createPublishRun,
  'publishRuns.update': updatePublishRun,
  'publishRuns.publishBox': publishBox,
  'publishRuns.publishVersion': publishVersion,
  'publishRuns.publishProvider': publishProvider,
  'publishRuns.release': publishRelease,
  'publishRuns.abandon': abandonPublishRun,
});
