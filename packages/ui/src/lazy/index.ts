export { fetchPart, isRetryingParts, lazy, retryParts, useIsPartMissing } from './parts.ts';
