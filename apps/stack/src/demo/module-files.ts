import { gzipSync } from 'node:zlib';
import { tar } from '@gatehouse/module-archive/testing/archives';

/** A variable: its name, type, description, and the HCL text of its default; required without a default. */
export type PlannedInput = readonly [name: string, type: string, description: string, byDefault?: string];

/** The declarations in a folder of a module. */
export interface PlannedFolder {
  /** Markdown. */
  readonly readme?: string;
  readonly inputs: readonly PlannedInput[];
  /** The name, the description, and the HCL text of the value. */
  readonly outputs: readonly (readonly [name: string, description: string, value: string])[];
  /** The types and names of resources: `aws_vpc this`. */
  readonly resources?: readonly string[];
  /** The providers: name, source and constraint. */
  readonly providers?: readonly (readonly [name: string, source: string, version: string])[];
  /** The called modules: name, source and constraint. */
  readonly calls?: readonly (readonly [name: string, source: string, version?: string])[];
}

/** Builds the gzip archive of a module. @param folders by path; the module's root has an empty path */
export function moduleArchive(
  folders: Readonly<Record<string, PlannedFolder>>,
  files: Readonly<Record<string, string>> = {},
): Buffer {
  const written = Object.entries(folders).flatMap(([folder, planned]) =>
    filesOf(planned).map(([name, body]) => ({ name: folder === '' ? name : `${folder}/${name}`, body })),
  );
  const others = Object.entries(files).map(([name, body]) => ({ name, body }));
  return gzipSync(tar([...written, ...others]));
}

function filesOf({ readme, inputs, outputs, resources = [], providers = [], calls = [] }: PlannedFolder) {
  const main = [
    ...calls.map(([name, source, version]) =>
      block(`module "${name}"`, [
        `source = "${source}"`,
        ...(version === undefined ? [] : [`version = "${version}"`]),
      ]),
    ),
    ...resources.map((resource) => {
      const [type = '', name = ''] = resource.split(' ');
      return block(`resource "${type}" "${name}"`, []);
    }),
  ];
  const files: (readonly [string, string])[] = [
    ['main.tf', main.join('\n')],
    [
      'variables.tf',
      inputs
        .map(([name, type, description, byDefault]) =>
          block(`variable "${name}"`, [
            `type = ${type}`,
            `description = "${description}"`,
            ...(byDefault === undefined ? [] : [`default = ${byDefault}`]),
          ]),
        )
        .join('\n'),
    ],
    [
      'outputs.tf',
      outputs
        .map(([name, description, value]) =>
          block(`output "${name}"`, [`description = "${description}"`, `value = ${value}`]),
        )
        .join('\n'),
    ],
    ['versions.tf', providers.length === 0 ? '' : versionsFile(providers)],
    ['README.md', readme ?? ''],
  ];
  return files.filter(([, body]) => body !== '');
}

function versionsFile(providers: NonNullable<PlannedFolder['providers']>): string {
  const rows = providers.map(
    ([name, source, version]) => `    ${name} = { source = "${source}", version = "${version}" }`,
  );
  return `terraform {\n  required_version = ">= 1.6"\n  required_providers {\n${rows.join('\n')}\n  }\n}\n`;
}

function block(head: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${head} {}\n` : `${head} {\n${lines.map((line) => `  ${line}\n`).join('')}}\n`;
}
