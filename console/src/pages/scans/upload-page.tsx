/** Uploads reports by hand: the files, what was scanned, and then the progress of each. */
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { repositoryNamesQuery } from '../../api/repository-names.ts';
import { useScanEvents } from '../../api/scan-events.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Forbidden } from '../../components/error-state.tsx';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { NothingChecked } from '../../components/nothing-checked.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { countOf } from '../../components/target-labels.ts';
import { ReportDrop } from './report-drop.tsx';
import { TargetFields, type TypedTarget, targetOf } from './target-fields.tsx';
import { UploadRow } from './upload-row.tsx';
import { isAboutTarget, useUploads } from './use-uploads.ts';

export function UploadPage() {
  const { slug, may } = useWorkspace();
  return (
    <>
      <PageHeader
        title="Upload reports"
        description="Upload the output of a scanner in any supported format. The format is detected from the content."
        back={{ to: '/w/$slug/scans', label: 'Scans' }}
      />
      {may('member') ? (
        <UploadForm slug={slug} />
      ) : (
        <Forbidden>Members of the workspace upload reports. An administrator can change your role.</Forbidden>
      )}
    </>
  );
}

function UploadForm({ slug }: { slug: string }) {
  const { repo = '', ref = null } = useSearch({ from: '/w/$slug/scans/upload' });
  const { data: repositories } = useQuery(repositoryNamesQuery(slug));
  const [target, setTarget] = useState<TypedTarget>({
    repo,
    ref,
    sha: '',
    category: '',
    partial: false,
    dryRun: false,
  });
  const { uploads, isSending, add, remove, send } = useUploads(slug);
  useScanEvents(slug);
  const open = uploads.filter(({ state }) => state === 'waiting' || state === 'refused').length;
  const refusal = uploads.find(({ error }) => isAboutTarget(error))?.error;
  const [isMissing, setMissing] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(open === 0);
    if (!isSending && open > 0) void send(targetOf(target, repositories));
  };
  return (
    <form onSubmit={submit} className="upload">
      <Section title="Reports">
        <Stack gap="sm">
          <ReportDrop onFiles={add} />
          {uploads.length > 0 && (
            <ul className="upload-rows" aria-label="Chosen reports">
              {uploads.map((upload) => (
                <UploadRow key={upload.key} slug={slug} upload={upload} onRemove={() => remove(upload.key)} />
              ))}
            </ul>
          )}
          {uploads.some(({ scan }) => scan !== null && !scan.dry_run) && <NothingChecked />}
        </Stack>
      </Section>
      <Section title="What was scanned">
        <TargetFields slug={slug} target={target} onChange={setTarget} refusal={refusal} />
        <Group mt="lg">
          <Button type="submit" loading={isSending}>
            {open > 1 ? `Upload ${countOf(open, 'report')}` : 'Upload'}
          </Button>
          {isMissing && open === 0 && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert">
              {uploads.length === 0 ? 'Choose a report first.' : 'All of these are sent: choose another.'}
            </Text>
          )}
        </Group>
      </Section>
      {/* Accepted reports continue without this page, but an upload in progress would stop. */}
      <LeaveGuard active={isSending} title="Leave this page?">
        <Alert color="petrol">A report is still being uploaded. Leaving this page cancels the upload.</Alert>
      </LeaveGuard>
    </form>
  );
}
