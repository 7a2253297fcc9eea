import type { ModuleContent, ModuleFolder, ModuleInput } from '@gatehouse/api-types/console/modules';

/** A required input of a module for tests. */
export function testInput(name: string, given: Partial<ModuleInput> = {}): ModuleInput {
  return {
    name,
    type: 'string',
    description: '',
    default: '',
    required: true,
    sensitive: false,
    ephemeral: false,
    nullable: true,
    deprecated: '',
    validations: [],
    ...given,
  };
}

const nothing = { inputs: [], outputs: [], dependencies: [], provider_dependencies: [], resources: [] };

export function testFolder(given: Partial<ModuleFolder> = {}): ModuleFolder {
  return { path: '', name: '', readme: '', empty: false, required_version: '', ...nothing, ...given };
}

export function testContent(
  root: Partial<ModuleFolder> = {},
  given: Partial<ModuleContent> = {},
): ModuleContent {
  return {
    from: 'registry',
    reason: '',
    root: testFolder(root),
    submodules: [],
    examples: [],
    problems: [],
    ...given,
  };
}
