/** The access controller's credential libraries, which belong to stores of type vault. */
import * as at from '@gatehouse/api-types/console/addresses/access';
import { recordCalls } from './records.ts';

export const credentialLibraries = recordCalls(at.credentialLibraries, [
  'credential-choices',
  'targets-using',
]);
