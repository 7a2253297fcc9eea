export { fetchPart, lazy, retryParts, useIsPartMissing } from './parts.ts';
