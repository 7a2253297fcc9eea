import { GitMerge, Pencil, Plus, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { Avatar } from '../avatar/Avatar.tsx';
import { Badge } from '../badge/Badge.tsx';
import { Breadcrumbs } from '../breadcrumbs/Breadcrumbs.tsx';
import { Button } from '../button/Button.tsx';
import { Card } from '../card/Card.tsx';
import { Code } from '../code/Code.tsx';
import { CodeBlock } from '../code/CodeBlock.tsx';
import { DecisionFieldset } from '../decision-fieldset/DecisionFieldset.tsx';
import { DiffList, type FieldChange } from '../diff-list/DiffList.tsx';
import { ScopeIcon } from '../icon/domain-apart.tsx';
import { TargetIcon } from '../icon/domain.tsx';
import { KeyValueList } from '../key-value-list/KeyValueList.tsx';
import { PageHeader } from '../page-header/PageHeader.tsx';
import { SaveBar } from '../save-bar/SaveBar.tsx';
import { SearchField } from '../search-field/SearchField.tsx';
import { type SetMember, SetChecklist } from '../set-checklist/SetChecklist.tsx';
import { Tabs } from '../tabs/Tabs.tsx';
import { TextField } from '../text-field/TextField.tsx';
import { RelativeTime, Timestamp } from '../time/Timestamp.tsx';
import { Toolbar } from '../toolbar/Toolbar.tsx';
import { TreeView } from '../tree-view/TreeView.tsx';
import { Family, Specimen } from './Specimen.tsx';

const changes: readonly FieldChange[] = [
  { id: 'name', label: 'Name', kind: 'changed', before: 'db-primary', after: 'db-orders' },
  { id: 'description', label: 'Description', kind: 'added', after: 'Primary of the orders database.' },
  { id: 'filter', label: 'Egress worker filter', kind: 'removed', before: '"region" == "eu"' },
];

const members: readonly SetMember[] = [
  { id: 'a', label: 'web-eu', change: 'kept', isIncluded: true },
  { id: 'b', label: 'web-us', change: 'added', by: 'by you', isIncluded: true },
  { id: 'c', label: 'web-old', change: 'removed', by: 'by Ada', isIncluded: false },
];

const longAgo = '2026-01-31T09:41:07Z';

/** The parts of pages. */
export function Structure({ theme }: { theme: string }) {
  const [tab, setTab] = useState('details');
  const [scope, setScope] = useState('p_web');
  const [expanded, setExpanded] = useState(['global', 'o_acme']);
  const [decision, setDecision] = useState<'current' | 'mine' | 'edit' | null>(null);
  const [set, setSet] = useState(members);
  return (
    <Family title="Structure">
      <Specimen name="Page header">
        <div className="border border-line">
          <PageHeader
            icon={TargetIcon}
            title="db-primary"
            ancestorsLabel={`Breadcrumbs of the header, ${theme}`}
            ancestors={[{ id: 'targets', label: 'Targets', href: '#targets' }]}
            meta={<Badge>tcp</Badge>}
            actions={
              <>
                <Button size={28} icon={Pencil}>
                  Edit
                </Button>
                <Button size={28} variant="primary" icon={Plus}>
                  New target
                </Button>
              </>
            }
            toolbar={
              <Toolbar label="Targets">
                <div className="w-64">
                  <SearchField label="Search targets" shortcut="/" />
                </div>
                <Button size={28} variant="ghost">
                  Filter
                </Button>
              </Toolbar>
            }
          />
        </div>
        <Breadcrumbs
          ancestors={[
            { id: 'global', label: 'global', href: '#g' },
            { id: 'acme', label: 'Acme', href: '#a' },
          ]}
          label={`Breadcrumbs, ${theme}`}
          current="web"
        />
      </Specimen>
      <Specimen name="Tabs">
        <Tabs
          label="Target"
          selected={tab}
          onSelect={setTab}
          items={[
            {
              id: 'details',
              label: 'Details',
              content: (
                <KeyValueList
                  items={[
                    { label: 'ID', value: 'ttcp_1234567890', isMono: true, copyText: 'ttcp_1234567890' },
                    { label: 'Address', value: '10.0.0.4', isMono: true, copyText: '10.0.0.4' },
                    { label: 'Default port', value: 5432 },
                    { label: 'Description', value: '' },
                    { label: 'Created', value: <Timestamp value={longAgo} mode="utc" /> },
                    { label: 'Changed', value: <RelativeTime value={longAgo} /> },
                  ]}
                />
              ),
            },
            { id: 'sources', label: 'Host sources', count: 12, content: 'Twelve host sources.' },
            { id: 'sessions', label: 'Sessions', content: 'No session is open.' },
          ]}
        />
      </Specimen>
      <Specimen name="Cards, people">
        <div className="grid gap-4 narrow:grid-cols-2">
          <Card title="Access controller" actions={<Badge tone="ok">Healthy</Badge>} footer="Version 0.1.0">
            Tokens last 7 days. <Code>p_1234567890</Code> is yours.
          </Card>
          <Card title="Signed in">
            <div className="flex items-center gap-2">
              <Avatar name="Ada Lovelace" size={32} /> <Avatar name="admin" />{' '}
              <Avatar name="grace.hopper" size={20} />
              Ada Lovelace
            </div>
          </Card>
        </div>
      </Specimen>
      <Specimen name="Tree">
        <div className="w-72">
          <TreeView
            label="Scopes"
            selected={scope}
            onSelect={setScope}
            expanded={expanded}
            onExpandedChange={setExpanded}
            nodes={[
              {
                id: 'global',
                label: 'global',
                icon: ScopeIcon,
                children: [
                  {
                    id: 'o_acme',
                    label: 'Acme',
                    icon: ScopeIcon,
                    detail: '2',
                    children: [
                      { id: 'p_web', label: 'web', icon: ScopeIcon, detail: '1,204' },
                      { id: 'p_data', label: 'data', icon: ScopeIcon, detail: '96' },
                    ],
                  },
                  { id: 'o_labs', label: 'Labs', icon: ScopeIcon },
                ],
              },
            ]}
          />
        </div>
      </Specimen>
      <Specimen name="Code">
        <CodeBlock
          label="Command"
          code={'boundary connect -target-id ttcp_1234567890 \\\n  -listen-port 5432'}
        />
      </Specimen>
      <Specimen name="Differences">
        <DiffList label="Changes of db-primary" changes={changes} onUndo={() => undefined} />
      </Specimen>
      <Specimen name="Decision, set">
        <DecisionFieldset
          label="Default port"
          note="It was 5432 when you began editing."
          value={decision}
          onChange={setDecision}
          options={[
            { value: 'current', label: 'Keep current', icon: ShieldCheck, content: <Code>5433</Code> },
            { value: 'mine', label: 'Use mine', icon: GitMerge, content: <Code>6432</Code> },
            { value: 'edit', label: 'Edit', icon: Pencil, content: 'Enter another value' },
          ]}
        >
          {decision === 'edit' && <TextField label="New default port" isMono defaultValue="5433" />}
        </DecisionFieldset>
        <SetChecklist
          label="Host sources"
          members={set}
          onChange={(id, isIncluded) => {
            setSet(set.map((member) => (member.id === id ? { ...member, isIncluded } : member)));
          }}
        />
      </Specimen>
      <Specimen name="Save bar">
        <div className="border border-b-0 border-line">
          <SaveBar
            changes={changes}
            onUndo={() => undefined}
            onDiscard={() => undefined}
            onSave={() => undefined}
          />
        </div>
      </Specimen>
    </Family>
  );
}
