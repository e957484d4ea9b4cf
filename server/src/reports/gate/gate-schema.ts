/** The answer of the gate: the verdict, its reasons, and the smallest change that unblocks. */

import { type Static, Type } from 'typebox';
import { verdicts } from '../../domain/policy-enums.ts';
import {
  NullableInteger,
  NullablePerson,
  NullableString,
  NullableTimestamp,
  namedObject,
  nullableString,
  PolicyName,
  RepositoryBrief,
  Timestamp,
} from '../../http/schema.ts';
import { ScanState } from '../../ingest/scans/schema.ts';
import { Target } from '../../policies/violations/targets.ts';
import { ReferenceBrief } from '../../vulnerabilities/schema.ts';

const whereRelative = 'Where MERLON_PUBLIC_URL is not set it is a path on the server.';

export const GateViolation = namedObject('GateViolation', {
  id: Type.String(),
  page: Type.String({ description: `Its page in the console. ${whereRelative}` }),
  status: Type.String(),
  enforcement_mode: Type.String(),
  blocking: Type.Boolean(),
  snoozed_until: NullableTimestamp,
  due_at: Timestamp,
  remaining_seconds: Type.Integer(),
  policy: PolicyName,
  title: Type.String({ description: 'Title of the target.' }),
  advisory: nullableString('Id of the advisory, such as CVE-2021-44228.'),
  rule: nullableString('Rule that found the vulnerability; null for a package.'),
  severity: NullableString,
  target: Target,
  location: Type.Union([Type.Object({ path: Type.String(), line: NullableInteger }), Type.Null()]),
  package: Type.Union([
    Type.Object({ purl: Type.String(), name: Type.String(), versions: Type.Array(Type.String()) }),
    Type.Null(),
  ]),
  fix_version: nullableString('The lowest version above the one in use that fixes it.'),
  owner: NullablePerson,
});

const unblockActions = ['upgrade', 'remove', 'replace', 'revoke', 'fix', 'scan', 'change'] as const;

export const UnblockStep = namedObject('UnblockStep', {
  action: Type.String({ description: unblockActions.join(', ') }),
  text: Type.String({ description: 'The step in a sentence.' }),
  package: NullableString,
  from: Type.Array(Type.String({ description: 'Versions in use.' })),
  to: NullableString,
  paths: Type.Array(Type.String()),
  resolves: Type.Array(Type.String({ description: 'Violations that it clears: pvl_….' })),
});

export const Gate = namedObject('Gate', {
  repository: RepositoryBrief,
  reference: Type.Union([ReferenceBrief, Type.Null()]),
  sha: nullableString('The requested commit; without `sha` the head of the reference.'),
  superseded: Type.Boolean({
    description:
      'True: the reference or one of its tools has scanned another commit since, or the reference is inactive. The verdict is the worst of this commit’s scans.',
  }),
  verdict: nullableString(`${verdicts.join(', ')}; null: not yet.`),
  status: NullableString,
  policies_pending: Type.Boolean({
    description:
      'True: a changed policy is still being evaluated in the whole workspace, or the repository after its own change or after the end of an exception, a snooze or an acceptance, so only the verdict `block` is final.',
  }),
  active_policies: Type.Integer({
    description: 'Active policies of the workspace. With 0 a pass means nothing.',
  }),
  scans: ScanState.properties.scans,
  missing: ScanState.properties.missing,
  base: Type.Object({
    state: Type.String({
      description:
        'compared: only violations that the base does not have count; none: there is no base; missing: the base was never scanned, so all violations count; untracked: a policy blocks, and the base is neither the default branch nor named by somebody who may decide, so all violations count; ignored: `all` was requested.',
    }),
    ref: NullableString,
    sha: NullableString,
    at: NullableTimestamp,
  }),
  summary: Type.Object({
    blocking: Type.Integer(),
    warning: Type.Integer({ description: 'Violations that only warn, or are snoozed.' }),
    on_base: Type.Integer({ description: 'Violations that the base has too; they do not count.' }),
  }),
  page: nullableString(
    `Page of the newest scan of the reference in the console, which compares with the base that the report names; null without a scan. ${whereRelative}`,
  ),
  violations: Type.Array(GateViolation),
  truncated: Type.Boolean({ description: 'True: there are more violations than the answer shows.' }),
  unblock: Type.Array(UnblockStep),
});

export type GateItem = Omit<Static<typeof GateViolation>, 'page'>;
export type UnblockItem = Static<typeof UnblockStep>;
