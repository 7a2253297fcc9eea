/** Findings about an archive before it is published. */
import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { counted } from '#lib/counted.ts';

export interface ArchiveCheck {
  readonly isFine: boolean;
  readonly text: string;
}

/** Checks an archive's content. Archives that the registry refuses have none. */
export function checksOf({ root, submodules, problems, reason }: ModuleContent): readonly ArchiveCheck[] {
  const accepted = { isFine: true, text: 'The registry accepts this archive.' };
  if (root === null)
    return [accepted, { isFine: false, text: `The archive's contents are unknown. ${reason}`.trim() }];
  const lacking = (values: readonly { readonly description: string }[]): number =>
    values.filter(({ description }) => description.trim() === '').length;
  const [inputs, outputs] = [lacking(root.inputs), lacking(root.outputs)];
  const untyped = root.inputs.filter(({ type }) => type === '').length;
  const unbound = root.provider_dependencies.filter(({ version }) => version === '');
  return [
    accepted,
    problems.length === 0
      ? { isFine: true, text: 'Every file can be read.' }
      : {
          isFine: false,
          text: `${counted(problems.length, 'file')} can't be read, so this view is incomplete. You can publish it anyway.`,
        },
    ...(root.empty ? [nothingAtRoot(submodules.length)] : []),
    root.readme.trim() === ''
      ? { isFine: false, text: "No README. The module's page shows only the description below, if any." }
      : { isFine: true, text: 'The module has a README.' },
    ...(inputs > 0 ? [{ isFine: false, text: `${counted(inputs, 'input')} without a description.` }] : []),
    ...(untyped > 0 ? [{ isFine: false, text: `${counted(untyped, 'input')} without a type.` }] : []),
    ...(outputs > 0 ? [{ isFine: false, text: `${counted(outputs, 'output')} without a description.` }] : []),
    ...unbound.map(({ name }) => ({
      isFine: false,
      text: `No version constraint for the provider ${name}, so any version is accepted.`,
    })),
  ];
}

function nothingAtRoot(submodules: number): ArchiveCheck {
  return submodules === 0
    ? { isFine: false, text: 'The module declares nothing.' }
    : {
        isFine: true,
        text: `Nothing is declared at the module's root. It provides ${counted(submodules, 'submodule')}.`,
      };
}
