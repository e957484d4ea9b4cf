/** The dialog that creates a key. Its value is shown once. */
import { useQuery } from '@tanstack/react-query';
import { type ApiKey, type CreatedKey, type KeyKind, keyChoicesQuery } from '../../api/keys.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { type CreationCallbacks, ShownOnce } from '../../components/shown-once.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { ShownKey } from './shown-key.tsx';

interface CreateKeyProps {
  opened: boolean;
  onClose: () => void;
  onCreated: (key: ApiKey) => void;
  /** The kind of key that is selected first. */
  kind: KeyKind;
}

export function CreateKey({ opened, onClose, onCreated, kind }: CreateKeyProps) {
  const { slug } = useWorkspace();
  const form = (creation: CreationCallbacks<CreatedKey>) => (
    <Form
      {...creation}
      kind={kind}
      onCreated={(made) => {
        creation.onCreated(made);
        onCreated(made.key);
      }}
    />
  );
  return (
    <ShownOnce<CreatedKey>
      opened={opened}
      onClose={onClose}
      title="New API key"
      titleCreated="The key was created"
      size={640}
      form={form}
      shown={(made, close) => <ShownKey made={made} slug={slug} onClose={close} />}
    />
  );
}

function Form(props: CreationCallbacks<CreatedKey> & { kind: KeyKind }) {
  const query = useQuery(keyChoicesQuery);
  return (
    <Loaded query={query} noun="the scopes">
      {(choices) => <CreateKeyForm choices={choices} {...props} />}
    </Loaded>
  );
}
