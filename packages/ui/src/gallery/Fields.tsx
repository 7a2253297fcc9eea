import { useState } from 'react';
import { Checkbox } from '../checkbox/Checkbox.tsx';
import { CheckboxGroup } from '../checkbox/CheckboxGroup.tsx';
import { ComboBox } from '../combo-box/ComboBox.tsx';
import { Field } from '../field/Field.tsx';
import { NumberField } from '../number-field/NumberField.tsx';
import { PasswordField } from '../password-field/PasswordField.tsx';
import { RadioGroup } from '../radio-group/RadioGroup.tsx';
import { SearchField } from '../search-field/SearchField.tsx';
import { Select } from '../select/Select.tsx';
import { Switch } from '../switch/Switch.tsx';
import { TextArea } from '../text-area/TextArea.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { Family, Specimen } from './Specimen.tsx';

const types = [
  { id: 'tcp', label: 'TCP', detail: 'Any port' },
  { id: 'ssh', label: 'SSH', detail: 'Credentials can be injected' },
  { id: 'rdp', label: 'RDP', disabledReason: 'Not supported by this controller' },
];

const hosts = Array.from({ length: 60 }, (_, index) => ({
  id: `hst_${String(index).padStart(4, '0')}`,
  label: `db-${String(index + 1).padStart(2, '0')}.internal`,
  detail: `10.0.${String(index % 8)}.${String(index + 4)}`,
}));

/** Components with a value. */
export function Fields() {
  const [port, setPort] = useState<number | null>(5432);
  const [type, setType] = useState<string | null>('tcp');
  const [host, setHost] = useState<string | null>('hst_0003');
  const [roles, setRoles] = useState<string[]>(['read']);
  const [choice, setChoice] = useState<string | null>('address');
  return (
    <Family title="Fields">
      <Specimen name="Text">
        <div className="grid gap-4 narrow:grid-cols-2">
          <TextField label="Name" isRequired defaultValue="db-primary" description="Unique in its project." />
          <TextField
            label="Name"
            isRequired
            error="This name is taken in project web. Choose another."
            defaultValue="db"
          />
          <TextField
            label="Address"
            isMono
            placeholder="10.0.0.4"
            help="A host name or an IP address, without a port."
          />
          <TextField label="Name" defaultValue="db-primary" disabledReason="Your role is read-only." />
          <TextField label="Session limit" suffix="connections" defaultValue="12" />
          <TextField label="Address" prefix="https://" isMono defaultValue="boxes.example.com" />
          <NumberField label="Default port" value={port} onChange={setPort} min={1} max={65_535} />
          <PasswordField label="Password" autoComplete="off" defaultValue="correct horse" />
          <TextField label="Disabled" isDisabled defaultValue="can't be used here" />
          <TextField label="In a toolbar" isLabelHidden size={28} placeholder="28 px" />
        </div>
        <TextArea
          label="Description"
          placeholder="What is it for?"
          defaultValue={'Primary of the orders database.\nFails over to db-replica.'}
        />
        <SearchField label="Search targets" shortcut="/" />
        <div className="grid gap-4 narrow:grid-cols-2">
          <SearchField label="Search hosts" defaultValue="db-" isPending size={32} />
          <Field label="Worker filter" description="An expression." error="Unclosed quote at column 14.">
            {(wiring) => (
              <input
                {...wiring}
                defaultValue={'"region" == "eu'}
                className="h-8 rounded-control border border-danger bg-danger-tint px-2.5 font-mono text-input"
              />
            )}
          </Field>
        </div>
      </Specimen>
      <Specimen name="Choice">
        <div className="grid gap-4 narrow:grid-cols-2">
          <Select label="Type" options={types} value={type} onChange={setType} />
          <Select
            label="Type"
            options={types}
            value={null}
            onChange={setType}
            error="Choose a type."
            isRequired
          />
          <Select
            label="Type"
            options={types}
            value="ssh"
            onChange={setType}
            disabledReason="A target's type can't be changed."
          />
          <ComboBox label="Host" options={hosts} value={host} onChange={setHost} placeholder="Search hosts" />
        </div>
        <RadioGroup
          label="Reached by"
          direction="row"
          look="card"
          value={choice}
          onChange={setChoice}
          options={[
            { value: 'address', label: 'Address', description: 'One machine, by name or IP.' },
            { value: 'sources', label: 'Host sources', description: 'The hosts of the host sets.' },
            { value: 'none', label: 'Neither', disabledReason: 'A target needs one of these.' },
          ]}
        />
        <div className="grid gap-4 narrow:grid-cols-2">
          <RadioGroup
            label="Sort by"
            value={choice}
            onChange={setChoice}
            options={[
              { value: 'address', label: 'Name' },
              { value: 'sources', label: 'Last change' },
            ]}
          />
          <CheckboxGroup
            label="Roles"
            value={roles}
            onChange={setRoles}
            options={[
              { value: 'read', label: 'Read', description: 'See targets and sessions' },
              { value: 'operate', label: 'Operate', description: 'Authorize sessions' },
              {
                value: 'admin',
                label: 'Administer',
                disabledReason: 'Only another administrator can grant this.',
              },
            ]}
          />
        </div>
        <div className="flex flex-wrap gap-6">
          <Checkbox defaultSelected>Recursive</Checkbox>
          <Checkbox>Off</Checkbox>
          <Checkbox isIndeterminate>Mixed</Checkbox>
          <Checkbox isDisabled>Disabled</Checkbox>
          <Checkbox defaultSelected disabledReason="Always on in production.">
            Audit
          </Checkbox>
          <Checkbox error="Confirm that you have read it.">I have read it</Checkbox>
          <Switch defaultSelected>Shortcuts</Switch>
          <Switch>Off</Switch>
          <Switch disabledReason="Set by the configuration.">UTC</Switch>
        </div>
      </Specimen>
    </Family>
  );
}
