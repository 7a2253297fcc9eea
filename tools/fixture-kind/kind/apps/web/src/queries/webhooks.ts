/** The access controller's webhooks. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { recordCalls } from './records.ts';

export const webhooks = recordCalls(at.webhooks);
