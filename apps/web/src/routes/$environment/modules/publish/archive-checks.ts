/** What is worth knowing of an archive before it is published. */
import type { ModuleContent } from '@gatehouse/api-types/console/modules';
import { counted } from '#lib/counted.ts';

export interface ArchiveCheck {
  readonly isFine: boolean;
  readonly text: string;
}

/** Checks what was read. An archive that the registry would refuse is not read at all. */
export function checksOf({ root, submodules, problems, reason }: ModuleContent): readonly ArchiveCheck[] {
  const accepted = { isFine: true, text: 'The registry takes this archive.' };
  if (root === null)
    return [accepted, { isFine: false, text: `What it declares is not known. ${reason}`.trim() }];
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
          text: `${counted(problems.length, 'file')} can't be read, so what is shown here is incomplete. You can publish it anyway.`,
        },
    ...(root.empty ? [nothingAtRoot(submodules.length)] : []),
    root.readme.trim() === ''
      ? { isFine: false, text: 'No README: its page has no text that says what it is for.' }
      : { isFine: true, text: 'It has a README.' },
    ...(inputs > 0 ? [{ isFine: false, text: `${counted(inputs, 'input')} without a description.` }] : []),
    ...(untyped > 0 ? [{ isFine: false, text: `${counted(untyped, 'input')} without a type.` }] : []),
    ...(outputs > 0 ? [{ isFine: false, text: `${counted(outputs, 'output')} without a description.` }] : []),
    ...unbound.map(({ name }) => ({
      isFine: false,
      text: `No version constraint for the provider ${name}: every version of it is accepted.`,
    })),
  ];
}

function nothingAtRoot(submodules: number): ArchiveCheck {
  return submodules === 0
    ? { isFine: false, text: 'It declares nothing.' }
    : {
        isFine: true,
        text: `Nothing is declared at its root: it is used by ${counted(submodules, 'submodule')}.`,
      };
}
