import { moduleVersion, type ModuleVersion } from '@gatehouse/api-types/console/modules';
import { record, scalar } from '@gatehouse/record-merge/policy';
import * as z from 'zod/mini';
import type { ComparedKind } from '#components/record/record-kind.ts';

/** The fields of a published version that can change. */
interface ChangingFields {
  readonly [name: string]: string;
  readonly state: string;
  readonly message: string;
  readonly replacement: string;
}

const text = z.string();

/** Compares a version's changes for dialogs, with field labels. */
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
