/** The value of a new key, shown only this once, with a command that tries it. */
import { Text } from '@mantine/core';
import { addressOf } from '../../api/client.ts';
import type { CreatedKey } from '../../api/keys.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { OnceValue } from '../../components/shown-once.tsx';

interface ShownKeyProps {
  made: CreatedKey;
  /** The workspace that the page is about. */
  slug: string;
  onClose: () => void;
}

export function ShownKey({ made: { key, value }, slug, onClose }: ShownKeyProps) {
  const opened = openedSlug(key.workspaces, slug);
  const isForUploads = key.scopes.includes('scans:write');
  return (
    <OnceValue
      value={value}
      noun="key"
      warning={
        <>
          The value of <b className="break">{key.name}</b> is shown only now: nobody can see it again, here or
          on the server. Store it as a secret.
        </>
      }
      onClose={onClose}
    >
      <div>
        <Text size="sm" mb={6}>
          Test it: this command shows the owner and the access of the key.
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
    </OnceValue>
  );
}

/** Returns the workspace of the page, or another one if the key is not valid there. */
function openedSlug(workspaces: string[] | null, slug: string): string {
  return workspaces === null || workspaces.includes(slug) ? slug : (workspaces[0] ?? slug);
}

// Every shell supports double quotes. Neither a key nor an encoded address holds a character that is special in them.
function curlLine(value: string, slug: string): string {
  const address = addressOf('getWhoami', { path: { tenant_slug: slug } });
  return `curl -H "Authorization: Bearer ${value}" "${location.origin}${address}"`;
}
