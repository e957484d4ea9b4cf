/** The settings of the workspace, and those of the server that its admins should know. */

import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Settings, setTrackedBranches, settingsQuery } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Forbidden } from '../../components/error-state.tsx';
import { Fact } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { TrackedBranchesForm } from '../../components/tracked-branches-form.tsx';
import { AdvisoryMatchingField } from './advisory-matching.tsx';
import { AdvisoryNamesSection } from './advisory-names-section.tsx';
import { ExposedEnvironments } from './exposed-environments.tsx';
import { ForgesSection } from './forges-section.tsx';
import { IntelSection } from './intel-section.tsx';
import { TrackersSection } from './issue-trackers/trackers-section.tsx';
import { NewRepositoriesField } from './new-repositories.tsx';
import { OwnerAssignmentField } from './owner-assignment.tsx';
import { RenameForm } from './rename-form.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

export function SettingsPage() {
  const { slug, may } = useWorkspace();
  const query = useQuery({ ...settingsQuery(slug), enabled: may('admin') });
  return (
    <>
      <PageHeader title="Settings" />
      {may('admin') ? (
        <Loaded query={query} what="the settings" lines={10}>
          {(settings) => (
            <Stack gap="lg" maw={720}>
              <WorkspaceSection {...settings} />
              <ForgesSection {...settings.workspace} />
              <WebhooksSection />
              <TrackersSection />
              <IntelSection {...settings.intel} />
              <RetentionSection {...settings} />
              <LimitsSection {...settings} />
              <SignInSection {...settings} />
              <AdvisoryNamesSection />
            </Stack>
          )}
        </Loaded>
      ) : (
        <Forbidden>Only administrators of the workspace can see the settings.</Forbidden>
      )}
    </>
  );
}

function WorkspaceSection({ workspace }: Settings) {
  const { slug } = useWorkspace();
  return (
    <Section title="Workspace">
      <Stack gap="md">
        <RenameForm key={workspace.name} name={workspace.name} />
        <TrackedBranchesForm
          key={workspace.tracked_branches.join()}
          names={workspace.tracked_branches}
          save={(names) => setTrackedBranches(slug, names)}
        />
        <ExposedEnvironments names={workspace.exposed_environments} />
        <NewRepositoriesField value={workspace.new_repositories} />
        <AdvisoryMatchingField value={workspace.advisory_matching} />
        <OwnerAssignmentField value={workspace.assign_owners} />
      </Stack>
      <dl className="facts" style={{ marginTop: 16 }}>
        <Fact name="Slug">
          <span className="mono">{workspace.slug}</span>{' '}
          <CopyButton value={workspace.slug} label="Copy the slug" size="xs" />
        </Fact>
        <Fact name="Id">
          <span className="mono">{workspace.id}</span>{' '}
          <CopyButton value={workspace.id} label="Copy the id" size="xs" />
        </Fact>
        <Fact name="Created">
          <TimeText value={workspace.created_at} as="datetime" />
        </Fact>
      </dl>
    </Section>
  );
}

function RetentionSection({ retention }: Settings) {
  const { keep_reports_days: keep, active_days: active } = retention;
  return (
    <Section title="Retention" description="Set for the whole server by its operator.">
      <dl className="facts">
        <Fact name="Reports">
          {keep === 0
            ? 'Not kept: deleted when their scan is final'
            : `Kept for ${days(keep)} after their scan`}
        </Fact>
        <Fact name="References">
          Those that are not tracked count for {days(active)} after their last scan
        </Fact>
      </dl>
    </Section>
  );
}

function days(count: number): string {
  return count === 1 ? '1 day' : `${count.toLocaleString()} days`;
}

function LimitsSection({ limits }: Settings) {
  return (
    <Section title="Limits" description="Set for the whole server by its operator.">
      <dl className="facts">
        <Fact name="Requests">{perMinute(limits.requests_per_minute)}</Fact>
        <Fact name="Uploads">{perMinute(limits.uploads_per_minute)}</Fact>
        <Fact name="A report">
          {limits.max_upload_mb.toLocaleString()} MB as sent, {limits.max_inflated_mb.toLocaleString()} MB
          decompressed, {limits.max_findings.toLocaleString()} findings
        </Fact>
      </dl>
    </Section>
  );
}

function perMinute(count: number): string {
  return count === 0 ? 'No limit' : `${count.toLocaleString()} a minute for each key`;
}

function SignInSection({ oidc }: Settings) {
  return (
    <Section title="Sign-in" description="Set for the whole server by its operator.">
      {oidc ? (
        <dl className="facts">
          <Fact name="Provider">{oidc.name}</Fact>
          <Fact name="Issuer">
            <span className="mono">{oidc.issuer}</span>
          </Fact>
          <Fact name="Client">
            <span className="mono">{oidc.client_id}</span>
          </Fact>
        </dl>
      ) : (
        <dl className="facts">
          <Fact name="Provider">None: people sign in with a password</Fact>
        </dl>
      )}
    </Section>
  );
}
