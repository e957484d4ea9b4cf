/** The value of a key that has just been made: shown this once, with a command that tries it. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { MadeKey } from '../../api/keys.ts';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useCopy } from '../../parts/copy-button.tsx';

interface ShownKeyProps {
  made: MadeKey;
  /** Of the workspace that the page is about. */
  slug: string;
  onClose: () => void;
}

export function ShownKey({ made: { key, value }, slug, onClose }: ShownKeyProps) {
  const { copied, copy } = useCopy();
  const copyButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => copyButton.current?.focus(), []);
  const opened = openedSlug(key.workspaces, slug);
  const isForUploads = key.scopes.includes('scans:write');
  return (
    <Stack gap="md">
      <Alert color="orange" title="Copy it now" role="status">
        The value of <b className="break">{key.name}</b> is shown this once: nobody can see it again, here or
        on the server. Keep it where secrets are kept.
      </Alert>
      <CodeBlock code={value} label="Key" />
      <Group>
        <Button
          ref={copyButton}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(value)}
        >
          {copied ? 'Copied' : 'Copy the key'}
        </Button>
      </Group>
      <div>
        <Text size="sm" mb={6}>
          Try it: this says whose key it is and what it opens.
        </Text>
        <CodeBlock code={curlLine(value, opened)} label="Command" />
      </div>
      {isForUploads && (
        <div>
          <Text size="sm" mb={6}>
            In CI, the <code>merlon</code> command reads it from the secret <code>MERLON_TOKEN</code>, beside
            these:
          </Text>
          <CodeBlock code={`MERLON_URL=${location.origin}\nMERLON_WORKSPACE=${opened}`} label="Variables" />
        </div>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

/** The workspace of the page, unless the key does not open it. */
function openedSlug(workspaces: string[] | null, slug: string): string {
  return workspaces === null || workspaces.includes(slug) ? slug : (workspaces[0] ?? slug);
}

// In double quotes, which every shell takes; neither a key nor an address of the console holds what they would change.
function curlLine(value: string, slug: string): string {
  return `curl -H "Authorization: Bearer ${value}" "${location.origin}/api/v1/${slug}/whoami"`;
}
