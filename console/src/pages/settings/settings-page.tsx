/** The settings of the workspace, and those of the server that its admins should know. */

import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { changeSettings, type Settings, settingsQuery } from '../../api/settings.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Forbidden } from '../../components/error-state.tsx';
import { CopiedFact, Fact } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { countOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { TrackedBranchesForm } from '../../components/tracked-branches-form.tsx';
import { AdvisoryNamesSection } from './advisory-names-section.tsx';
import { ExposedEnvironments } from './exposed-environments.tsx';
import { ForgesSection } from './forges-section.tsx';
import { IntelSection } from './intel-section.tsx';
import { TrackersSection } from './issue-trackers/trackers-section.tsx';
import { RenameForm } from './rename-form.tsx';
import { SettingChoice } from './setting-choice.tsx';
import { WebhooksSection } from './webhooks/webhooks-section.tsx';

export function SettingsPage() {
  const { slug, may } = useWorkspace();
  const query = useQuery({ ...settingsQuery(slug), enabled: may('admin') });
  return (
    <>
      <PageHeader title="Settings" />
      {may('admin') ? (
        <Loaded query={query} noun="the settings" lines={10}>
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
          save={(names) => changeSettings(slug, { tracked_branches: names })}
        />
        <ExposedEnvironments names={workspace.exposed_environments} />
        <SettingChoice
          setting="new_repositories"
          value={workspace.new_repositories}
          label="New repositories"
          description="What happens with a report about an unknown repository."
          choices={{
            any: 'A report may create any repository',
            known_organizations: 'A report may create repositories of known organizations',
            never: 'A report cannot create a repository',
          }}
          done="Saved."
        />
        <SettingChoice
          setting="advisory_matching"
          value={workspace.advisory_matching}
          label="Advisories"
          description="A new advisory opens vulnerabilities in packages that SBOMs and reports have listed, without a scan. Off closes what it has opened."
          choices={{
            on: 'Match packages with the loaded advisories',
            off: 'Show only what reports say',
          }}
          done="Saved. It takes effect within a minute."
        />
        <SettingChoice
          setting="assign_owners"
          value={workspace.assign_owners}
          label="Code owners"
          description="If the CODEOWNERS file of a repository names the e-mail address of a member for a file, what is new there is assigned to that member. Teams own code without it."
          choices={{
            off: 'Leave new vulnerabilities unassigned',
            on: 'Assign new vulnerabilities to the code owner',
          }}
          done="Saved. It holds for what the next reports open."
        />
      </Stack>
      <dl className="facts" style={{ marginTop: 16 }}>
        <CopiedFact name="Slug" value={workspace.slug} noun="the slug" />
        <CopiedFact name="Id" value={workspace.id} noun="the id" />
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
            : `Kept for ${countOf(keep, 'day')} after their scan`}
        </Fact>
        <Fact name="References">
          Those that are not tracked count for {countOf(active, 'day')} after their last scan
        </Fact>
      </dl>
    </Section>
  );
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
