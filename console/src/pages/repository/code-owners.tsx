/** The owners of the paths of the repository, by its CODEOWNERS file. An admin can set another file. */
import { Alert, Button, Group, Modal, Text, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Answer, api } from '../../api/client.ts';
import { fieldError } from '../../api/errors.ts';
import { codeOwnersQuery, setCodeOwners } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Note } from '../../components/note.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useAction } from '../../components/use-action.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';

type CodeOwners = Answer<'getCodeOwners'>;
type Owner = CodeOwners['owners'][number];

const columns: Column<Owner>[] = [
  { id: 'name', label: 'Owner', wrap: true, cell: ({ name }) => <span className="break">{name}</span> },
  {
    id: 'meaning',
    label: 'In this workspace',
    wrap: true,
    cell: ({ team, person }) =>
      team || person ? (
        <span className="break">{team ? `Team ${team.name}` : person?.name}</span>
      ) : (
        <ToneBadge tone="plain">Nobody</ToneBadge>
      ),
  },
];

export function CodeOwners({ repository }: { repository: string }) {
  const { slug, may } = useWorkspace();
  const query = useQuery({ ...codeOwnersQuery(slug, repository), enabled: may('member') });
  const [isChanging, setIsChanging] = useState(false);
  if (!may('member')) return null;
  return (
    <Section
      title="Code owners"
      description="merlon scan upload sends the CODEOWNERS file of the default branch. Each team lists its names in this file."
    >
      <Loaded query={query} noun="the code owners" lines={3}>
        {(file) => (
          <>
            <Origin file={file} />
            {file.owners.length > 0 && (
              <DataTable
                label="Owners"
                fixedColumns
                columns={columns}
                rows={file.owners}
                keyOf={({ name }) => name}
                nameOf={({ name }) => name}
              />
            )}
            <Problems file={file} />
            {may('admin') && (
              <Group gap="sm" mt="sm">
                <Button size="compact-sm" variant="default" onClick={() => setIsChanging(true)}>
                  Set a file
                </Button>
                {file.set_by_admin && <Release repository={repository} />}
              </Group>
            )}
            <Modal
              opened={isChanging}
              onClose={() => setIsChanging(false)}
              title="Set the code owners"
              size="lg"
            >
              <FileForm repository={repository} file={file} onClose={() => setIsChanging(false)} />
            </Modal>
          </>
        )}
      </Loaded>
    </Section>
  );
}

function Origin({ file: { path, rules, set_by_admin: isSet, updated_at: at } }: { file: CodeOwners }) {
  if (path === null) {
    return <Note>No CODEOWNERS file has been uploaded yet.</Note>;
  }
  return (
    <Text size="sm" mb="xs">
      <span className="mono break">{path}</span>, {rules.toLocaleString()} {rules === 1 ? 'rule' : 'rules'},{' '}
      {isSet ? 'set by an admin' : 'replaced by uploads'}; changed <TimeText value={at} />
    </Text>
  );
}

function Problems({ file: { problems } }: { file: CodeOwners }) {
  if (problems.length === 0) return null;
  return (
    <Alert color="yellow" mt="sm" title="Some lines are left out">
      {problems.map(({ line, text }) => (
        <Text key={`${line} ${text}`} size="sm" className="break">
          Line {line}: <ReportText>{text}</ReportText>
        </Text>
      ))}
    </Alert>
  );
}

function Release({ repository }: { repository: string }) {
  const { slug } = useWorkspace();
  const { mutate, isPending } = useAction({
    act: () => api.releaseCodeOwners({ path: { tenant_slug: slug, repository } }),
    done: 'The next upload from the default branch replaces the file.',
    changed: [codeOwnersQuery(slug, repository).queryKey],
  });
  return (
    <Button size="compact-sm" variant="subtle" loading={isPending} onClick={() => mutate()}>
      Take it from uploads again
    </Button>
  );
}

interface FileFormProps {
  repository: string;
  file: CodeOwners;
  onClose: () => void;
}

function FileForm({ repository, file, onClose }: FileFormProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [content, setContent] = useState(file.content);
  const { form, error } = useFormMutation({
    mutationFn: () => setCodeOwners(slug, repository, { path: file.path ?? 'CODEOWNERS', content }),
    onSuccess: async () => {
      notifyDone('The code owners are saved.');
      onClose();
      await queryClient.invalidateQueries();
    },
  });
  return (
    <DialogForm action="Save" {...form} onCancel={onClose} fields={['content']}>
      <Textarea
        label="CODEOWNERS"
        description="Uploads do not replace it any more. The last line that matches a path says who owns it."
        data-autofocus
        autosize
        minRows={8}
        maxRows={24}
        classNames={{ input: 'mono' }}
        placeholder="/payments/ @acme/payments"
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        error={fieldError(error, 'content')}
      />
    </DialogForm>
  );
}
