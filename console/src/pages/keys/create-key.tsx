/** The dialog that creates a key. Its value is shown once. */
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, type KeyKind, keyChoicesQuery, type MadeKey } from '../../api/keys.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { type Making, ShownOnce } from '../../components/shown-once.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { ShownKey } from './shown-key.tsx';

interface CreateKeyProps {
  opened: boolean;
  onClose: () => void;
  onMade: (key: ApiKey) => void;
  /** The kind of key that is selected first. */
  kind: KeyKind;
}

export function CreateKey({ opened, onClose, onMade, kind }: CreateKeyProps) {
  const { slug } = useWorkspace();
  const form = (making: Making<MadeKey>) => (
    <Form
      {...making}
      kind={kind}
      onMade={(made) => {
        making.onMade(made);
        onMade(made.key);
      }}
    />
  );
  return (
    <ShownOnce<MadeKey>
      opened={opened}
      onClose={onClose}
      title="New API key"
      titleMade="The key was created"
      size={640}
      form={form}
      shown={(made, close) => <ShownKey made={made} slug={slug} onClose={close} />}
    />
  );
}

function Form(props: Making<MadeKey> & { kind: KeyKind }) {
  const query = useQuery(keyChoicesQuery);
  return (
    <Loaded query={query} what="the scopes">
      {(choices) => <CreateKeyForm choices={choices} {...props} />}
    </Loaded>
  );
}
