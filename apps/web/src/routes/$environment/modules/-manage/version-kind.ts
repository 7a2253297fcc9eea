import { moduleVersion, type ModuleVersion } from '@gatehouse/api-types/console/modules';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { ComparedKind } from '#components/record/record-kind.ts';

/** What can change of a version that is published. */
interface ChangingFields {
  readonly [name: string]: string;
  readonly state: string;
  readonly message: string;
  readonly replacement: string;
}

const text = z.string();

/** What asks before something is done to a version: in what words a change of it is said. */
export const moduleVersionKind: ComparedKind<ModuleVersion, ChangingFields> = {
  schema: moduleVersion,
  fieldsOf: ({ deprecation }) => ({
    state: deprecation?.state ?? '',
    message: deprecation?.message ?? '',
    replacement: deprecation?.replacement ?? '',
  }),
  formOf: () => ({
    noun: 'version',
    schema: z.object({ state: text, message: text, replacement: text }),
    policy: record({ state: scalar, message: scalar, replacement: scalar }),
    sections: [
      {
        title: 'Deprecation',
        fields: [
          { path: 'state', label: 'State', input: { kind: 'text' } },
          { path: 'message', label: 'Message', input: { kind: 'multiline' } },
          { path: 'replacement', label: 'Replacement', input: { kind: 'text' } },
        ],
      },
    ],
  }),
};
