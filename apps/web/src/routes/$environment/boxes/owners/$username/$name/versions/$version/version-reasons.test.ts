import { expect, test } from 'vitest';
import { reasonAgainstReleasing, reasonAgainstRevoking } from './version-reasons.ts';

