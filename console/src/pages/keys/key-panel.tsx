/** One key, with all that is known about it except its value. */

import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, keyChoicesQuery } from '../../api/keys.ts';
import { enumLabel } from '../../components/badges.tsx';
import { Fact } from '../../components/fact.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { maskedValue, workspacesText } from './key-labels.ts';
import { Expires, KeyStatus, makerOf } from './key-table.tsx';
import '../../components/section.css';

interface KeyPanelProps {
  apiKey: ApiKey | undefined;
  onClose: () => void;
  onRevoke: (key: ApiKey) => void;
}

export function KeyPanel({ apiKey, onClose, onRevoke }: KeyPanelProps) {
  return (
    <SidePanel
      opened={apiKey !== undefined}
      onClose={onClose}
      size={480}
      title={apiKey?.name ?? ''}
      toolbar={
        apiKey &&
        apiKey.status !== 'Disabled' && (
          <Button size="xs" variant="default" onClick={() => onRevoke(apiKey)}>
            Revoke the key
          </Button>
        )
      }
    >
      {apiKey && <KeyFacts apiKey={apiKey} />}
    </SidePanel>
  );
}

function KeyFacts({ apiKey }: { apiKey: ApiKey }) {
  const { data: choices } = useQuery(keyChoicesQuery);
  const opens = (scope: string) => choices?.scopes.find(({ name }) => name === scope)?.opens;
  return (
    <dl className="facts">
      <Fact name="Status">
        <KeyStatus apiKey={apiKey} />
      </Fact>
      <Fact name="Kind">{enumLabel(apiKey.kind)}</Fact>
      <Fact name="Value">
        <span className="mono">{maskedValue(apiKey)}</span>
      </Fact>
      {apiKey.role && <Fact name="Role">{enumLabel(apiKey.role)}</Fact>}
      <Fact name="Workspaces">{workspacesText(apiKey)}</Fact>
      <Fact name="Created">
        <TimeText value={apiKey.created_at} as="datetime" /> by {makerOf(apiKey)}
      </Fact>
      <Fact name="Last used">
        <TimeText value={apiKey.last_used_at} />
      </Fact>
      <Fact name="Expires">
        <Expires apiKey={apiKey} />
        {apiKey.status !== 'Disabled' && apiKey.expires_at !== null && (
          <>
            , <TimeText value={apiKey.expires_at} as="datetime" />
          </>
        )}
      </Fact>
      <Fact name="Scopes">
        <ul className="scope-list">
          {apiKey.scopes.map((scope) => (
            <li key={scope}>
              <span className="mono">{scope}</span>
              <small>{opens(scope)}</small>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="Id">
        <span className="mono">{apiKey.id}</span>
      </Fact>
    </dl>
  );
}
