/** API keys: the person's own, and for admins those of the workspace. */
import { Button, Stack, Tabs } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type ApiKey, type KeyKind, ownKeysQuery, workspaceKeysQuery } from '../../api/keys.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { usePanel } from '../../components/side-panel.tsx';
import { useAnySearch } from '../../use-any-search.ts';
import { CreateKey } from './create-key.tsx';
import { KeyPanel } from './key-panel.tsx';
import { KeyTable } from './key-table.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { TrustRulesSection } from './trust-rules-section.tsx';
import './keys.css';

const route = getRouteApi('/w/$slug/keys');

interface KeyList {
  query: UseQueryResult<{ items: ApiKey[] }>;
  noun: string;
  /** Replaces a table without rows. */
  none: ReactNode;
}

export function KeysPage() {
  const { slug, may } = useWorkspace();
  const isAdmin = may('admin');
  const { kind: requestedKind, new: isCreating } = route.useSearch();
  const kind: KeyKind = isAdmin && requestedKind === 'workspace' ? 'workspace' : 'personal';
  const { set } = useAnySearch();
  const own = useQuery(ownKeysQuery);
  const workspace = useQuery({ ...workspaceKeysQuery(slug), enabled: isAdmin });
  const lists: Record<KeyKind, KeyList> = {
    personal: {
      query: own,
      noun: 'your keys',
      none: (
        <EmptyState title="You have no API key">
          Scripts and CI use a key to call the API as you. Create one with the button above, with only the
          scopes that it needs.
        </EmptyState>
      ),
    },
    workspace: {
      query: workspace,
      noun: 'the keys of the workspace',
      none: (
        <EmptyState title="The workspace has no key of its own">
          A workspace key belongs to no person, so it stays valid when its creator leaves. Create one for CI
          with the button above.
        </EmptyState>
      ),
    },
  };
  const list = (of: KeyKind) => <KeysOf slug={slug} {...lists[of]} />;
  return (
    <>
      <PageHeader
        title="API keys"
        description="Credentials for scripts and CI. The value of a key is shown once, when it is created."
        actions={
          <Button leftSection={<IconPlus size={16} />} onClick={() => set({ new: 'yes' })}>
            New key
          </Button>
        }
      />
      {isAdmin ? (
        <Tabs
          value={kind}
          onChange={(to) => set({ kind: to === 'workspace' ? to : undefined, status: undefined })}
          keepMounted={false}
        >
          <Tabs.List mb="md">
            <Tabs.Tab value="personal">Your keys</Tabs.Tab>
            <Tabs.Tab value="workspace">Keys of the workspace</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="personal">{list('personal')}</Tabs.Panel>
          <Tabs.Panel value="workspace">
            <Stack gap="xl">
              <div>{list('workspace')}</div>
              <TrustRulesSection />
            </Stack>
          </Tabs.Panel>
        </Tabs>
      ) : (
        list('personal')
      )}
      <CreateKey
        opened={isCreating === 'yes'}
        onClose={() => set({ new: undefined }, { replace: true })}
        // The list behind the dialog switches to the one that holds the new key.
        onCreated={(key) => {
          if (key.kind !== kind)
            set({ kind: key.kind === 'workspace' ? key.kind : undefined, status: undefined });
        }}
        kind={kind}
      />
    </>
  );
}

function KeysOf({ slug, query, noun, none }: KeyList & { slug: string }) {
  const panel = usePanel('key');
  // The key stays set while the dialog closes.
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const [isConfirming, confirmation] = useDisclosure(false);
  const openConfirmation = (key: ApiKey) => {
    setRevoking(key);
    confirmation.open();
  };
  return (
    <>
      <Loaded query={query} noun={noun}>
        {({ items }) => (
          <>
            {items.length === 0 ? (
              none
            ) : (
              <KeyTable items={items} openKey={panel.shown} onRevoke={openConfirmation} />
            )}
            <KeyPanel
              apiKey={items.find((key) => key.id === panel.shown)}
              onClose={panel.close}
              onRevoke={openConfirmation}
            />
          </>
        )}
      </Loaded>
      {revoking && (
        <RevokeKey slug={slug} apiKey={revoking} opened={isConfirming} onClose={confirmation.close} />
      )}
    </>
  );
}
