/** The forges of the workspace, for links to files. Each change is saved at once. */
import { Alert, Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, fieldError } from '../../api/errors.ts';
import { changeSettings, type Forge, forgesQuery, type Settings, settingsKey } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { notifyDone } from '../../components/notify.tsx';
import { PlainTable } from '../../components/plain-table.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { Section } from '../../components/section.tsx';

const labels: Record<Forge['kind'], string> = {
  github: 'GitHub Enterprise Server',
  gitlab: 'GitLab',
  bitbucket: 'Bitbucket Cloud',
  bitbucket_data_center: 'Bitbucket Data Center',
  azure_devops: 'Azure DevOps Server',
  gitea: 'Gitea or Forgejo',
};

export function ForgesSection({ forges }: Pick<Settings['workspace'], 'forges'>) {
  const { save, refusal, error, isPending } = useForges();
  return (
    <Section
      title="Forges"
      description="Your own sites with the files of repositories. Vulnerabilities link to their lines there. Public sites need no entry."
    >
      {error && (
        <Alert color="red" role="alert" mb="sm">
          {error}
        </Alert>
      )}
      {forges.length > 0 && (
        <div className="plain-table-region">
          <PlainTable
            headings={[
              'Address',
              { label: 'Kind', className: 'plain-table-left' },
              { label: 'Organization', className: 'plain-table-left' },
              'Action',
            ]}
            rows={forges}
          >
            {(forge) => (
              <tr key={JSON.stringify(forge)}>
                <th scope="row" className="mono break">
                  {forge.url}
                </th>
                <td className="plain-table-left">{labels[forge.kind]}</td>
                <td className="plain-table-left break">
                  {forge.organization === null ? 'Any' : <ReportText>{forge.organization}</ReportText>}
                </td>
                <td>
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Remove ${forge.url}`}
                    disabled={isPending}
                    onClick={() => save(forges.filter((other) => other !== forge))}
                  >
                    Remove
                  </Button>
                </td>
              </tr>
            )}
          </PlainTable>
        </div>
      )}
      <AddForge
        key={forges.length}
        refusal={refusal}
        isPending={isPending}
        add={(forge) => save([...forges, forge])}
      />
    </Section>
  );
}

function useForges() {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (forges: Forge[]) => changeSettings(slug, { forges }),
    onSuccess: async (settings) => {
      queryClient.setQueryData(settingsKey(slug), settings);
      notifyDone('The forges are saved.');
      await queryClient.invalidateQueries({ queryKey: forgesQuery(slug).queryKey });
    },
  });
  const refusal = fieldError(error, 'forges');
  return { save: mutate, refusal, error: error && !refusal ? errorText(error) : null, isPending };
}

interface AddForgeProps {
  refusal: string | null;
  isPending: boolean;
  add: (forge: Forge) => void;
}

function AddForge({ refusal, isPending, add }: AddForgeProps) {
  const [url, setUrl] = useState('');
  const [kind, setKind] = useState<Forge['kind']>('gitlab');
  const [organization, setOrganization] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        add({ url: url.trim(), kind, organization: organization.trim() || null });
      }}
    >
      <Group align="flex-start" gap="sm" mt="sm">
        <RequiredText
          flex="2 1 14rem"
          label="Address"
          message="Enter an address, such as https://git.example.com."
          placeholder="https://git.example.com"
          maxLength={255}
          value={url}
          onChange={(event) => setUrl(event.currentTarget.value)}
          refusal={refusal}
        />
        <NativeSelect
          flex="1 1 11rem"
          label="Kind"
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as Forge['kind'])}
          data={choicesOf(labels)}
        />
        <TextInput
          flex="1 1 9rem"
          label="Organization"
          placeholder="Any"
          maxLength={500}
          value={organization}
          onChange={(event) => setOrganization(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" mt={21} loading={isPending}>
          Add
        </Button>
      </Group>
    </form>
  );
}
