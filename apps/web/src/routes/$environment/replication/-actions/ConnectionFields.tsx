import { TextField } from '@gatehouse/ui/text-field';
import type { Connecting } from './connection.ts';

interface FieldWords {
  readonly name: keyof Connecting;
  readonly label: string;
  readonly description: string;
  readonly placeholder?: string;
}

const fields: readonly FieldWords[] = [
  {
    name: 'ttl',
    label: 'TTL',
    description: "How long the activation token is valid. Leave empty for the server's default.",
    placeholder: '30m',
  },
  {
    name: 'primary_api_addr',
    label: 'API address of the primary',
    description:
      "The address at which the secondary reaches the primary. Leave empty to use the primary's own API address.",
    placeholder: 'https://vault-a.example:8200',
  },
  {
    name: 'ca_file',
    label: 'CA file',
    description: "Path to a PEM file on the secondary's server. Leave empty to use the system's CAs.",
  },
  {
    name: 'ca_path',
    label: 'CA directory',
    description:
      "Path to a directory of PEM files on the secondary's server. Use this or a CA file, not both.",
  },
];

/** How the secondary connects. Collapsed while every field is empty, because the servers' defaults usually do. */
export function ConnectionFields({
  value,
  problems = {},
  onChange,
}: {
  value: Connecting;
  problems?: Readonly<Record<string, string | undefined>>;
  onChange: (name: keyof Connecting, text: string) => void;
}) {
  const isUsual = fields.every(({ name }) => value[name] === '');
  const isWrong = fields.some(({ name }) => problems[name] !== undefined);
  return (
    <details open={!isUsual || isWrong ? true : undefined}>
      <summary className="text-body text-ink-1">Connection{isUsual && ": the servers' defaults"}</summary>
      <div className="flex flex-col gap-4 pt-3">
        {fields.map(({ name, label, description, placeholder }) => (
          <TextField
            key={name}
            label={label}
            description={description}
            isMono
            autoComplete="off"
            spellCheck="false"
            {...(placeholder !== undefined && { placeholder })}
            value={value[name]}
            error={problems[name]}
            onChange={(text) => {
              onChange(name, text);
            }}
          />
        ))}
      </div>
    </details>
  );
}
