/**
 * Tests that the domains of the database that stand for a state have the values of the lists in the code, in their
 * order.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { savedViewPages } from '../../src/access/saved-views/store.ts';
import { artifactTypes } from '../../src/domain/artifact-types.ts';
import { counterScopes } from '../../src/domain/change-set.ts';
import { ciProviders } from '../../src/domain/ci-providers.ts';
import { groupings } from '../../src/domain/open-groups.ts';
import { organizationTypes } from '../../src/domain/organization-enums.ts';
import { severities, sources, types } from '../../src/domain/packed-state.ts';
import {
  enforcementModes,
  policyStatuses,
  policyTypes,
  ruleTypes,
  targetTypes,
  verdicts,
} from '../../src/domain/policy-enums.ts';
import { referenceTypes } from '../../src/domain/reference-name.ts';
import { repositorySources } from '../../src/domain/repository-enums.ts';
import { vexStatuses } from '../../src/domain/vex-status.ts';
import { roles } from '../../src/http/principal.ts';
import { nameStates } from '../../src/ingest/advisory-names/name-store.ts';
import { scanStatuses } from '../../src/ingest/scans/store.ts';
import { linkedIssueStates } from '../../src/notifications/issues/linked-issue-store.ts';
import { trackerKinds } from '../../src/notifications/issues/tracker-client.ts';
import { digestRhythms } from '../../src/notifications/mail/mail-store.ts';
import { deliveryStatuses } from '../../src/notifications/webhooks/delivery-store.ts';
import { webhookFormats } from '../../src/notifications/webhooks/webhook-store.ts';
import { assetTypes } from '../../src/policies/definition/facts.ts';
import { exceptionModes, exceptionStatuses } from '../../src/policies/exceptions/exception-store.ts';
import { eventKinds } from '../../src/vulnerabilities/events.ts';
import { matchMethods } from '../../src/vulnerabilities/match-methods.ts';
import { resolutions } from '../../src/vulnerabilities/schema.ts';
import { origins } from '../../src/vulnerabilities/status.ts';
import { createTestDatabase } from '../support/database.ts';

const lists: Record<string, readonly string[]> = {
  alias_state: nameStates,
  artifact_type: artifactTypes,
  asset_type: assetTypes,
  counter_scope: counterScopes,
  group_kind: groupings,
  decision_origin: origins,
  enforcement_mode: enforcementModes,
  event_kind: eventKinds,
  exception_mode: exceptionModes,
  exception_status: exceptionStatuses,
  linked_issue_state: linkedIssueStates,
  match_method: matchMethods,
  organization_type: organizationTypes,
  policy_status: policyStatuses,
  policy_type: policyTypes,
  reference_type: referenceTypes,
  repository_source: repositorySources,
  delivery_status: deliveryStatuses,
  digest_rhythm: digestRhythms,
  webhook_format: webhookFormats,
  resolution: resolutions,
  role: roles,
  rule_type: ruleTypes,
  ci_provider: ciProviders,
  saved_view_page: savedViewPages,
  scan_source: sources,
  scan_status: scanStatuses,
  severity: severities,
  target_type: targetTypes,
  tracker_kind: trackerKinds,
  verdict: verdicts,
  vex_status: vexStatuses,
  vulnerability_type: types,
};

// The code writes these values as union types, so there is no list to compare with.
const withoutList = ['account_kind', 'api_key_kind', 'run_outcome'];

test('every state has the values of its list in the code, in the same order', async () => {
  const { owner } = await createTestDatabase();
  const { rows } = await owner.query<{ name: string; values: string[] }>(
    `select t.typname as name,
            array(select m[1] from regexp_matches(pg_get_constraintdef(c.oid), '''([^'']*)''', 'g') m) as values
       from pg_type t join pg_constraint c on c.contypid = t.oid and c.contype = 'c'
      where t.typnamespace = 'public'::regnamespace`,
  );
  const known = Object.fromEntries(rows.map(({ name, values }) => [name, values]));
  for (const name of withoutList) {
    assert.ok(known[name], `there is no type ${name}`);
    delete known[name];
  }
  assert.deepEqual(known, lists);
});

test('no column of the schema but a packed state is a small number that stands for a state', () => {
  const schema = readFileSync(new URL('../../src/db/schema.sql', import.meta.url), 'utf8');
  const numbers = Array.from(schema.matchAll(/^ {2}(\w+) smallint\b/gm), ([, column]) => column);
  assert.deepEqual([...new Set(numbers)].sort(), [
    'attempts',
    'default_branch_state',
    'epss_band',
    'packed_state',
    'snooze_count',
    'vulnerability_state',
  ]);
});
