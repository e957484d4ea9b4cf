/** The answer of the gate: the verdict, its reasons, and the smallest change that unblocks. */

import { type Static, Type } from 'typebox';
import { verdicts } from '../../domain/policy-enums.ts';
import {
  NullableInteger,
  NullableString,
  NullableTimestamp,
  namedObject,
  PersonBrief,
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
  page: Type.String({ description: `Its page in the console, for people. ${whereRelative}` }),
  status: Type.String(),
  enforcement_mode: Type.String(),
  blocking: Type.Boolean(),
  snoozed_until: NullableTimestamp,
  due_at: Timestamp,
  remaining_seconds: Type.Integer(),
  policy: PolicyName,
  title: Type.String({ description: 'Of the target, for people.' }),
  severity: NullableString,
  target: Target,
  location: Type.Union([Type.Object({ path: Type.String(), line: NullableInteger }), Type.Null()]),
  package: Type.Union([
    Type.Object({ purl: Type.String(), name: Type.String(), versions: Type.Array(Type.String()) }),
    Type.Null(),
  ]),
  fix_version: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'Lowest version above the one in use that fixes it.',
  }),
  owner: Type.Union([PersonBrief, Type.Null()]),
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
  sha: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: "The commit asked about, else the reference's head.",
  }),
  superseded: Type.Boolean({ description: 'A later commit of the reference has been scanned since.' }),
  verdict: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${verdicts.join(', ')}; null: not yet.`,
  }),
  status: NullableString,
  policies_pending: Type.Boolean({
    description: 'A policy has changed, and the workspace is still being asked: the verdict may change.',
  }),
  scans: ScanState.properties.scans,
  missing: ScanState.properties.missing,
  base: Type.Object({
    state: Type.String({
      description:
        'compared: only what is added counts; none: there is no base; missing: it was never scanned, everything counts; untracked: a policy blocks, and the base is no tracked reference and was named by nobody who may decide, so that everything counts; ignored: everything was asked for.',
    }),
    ref: NullableString,
    sha: NullableString,
    at: NullableTimestamp,
  }),
  summary: Type.Object({
    blocking: Type.Integer(),
    warning: Type.Integer({ description: 'Stand without blocking: warned of, or snoozed.' }),
    on_base: Type.Integer({ description: 'Stand on the base too, and do not count.' }),
  }),
  page: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `For people, the page in the console of the newest scan, which compares with the base that its report names. ${whereRelative} Null: there is no scan.`,
  }),
  violations: Type.Array(GateViolation),
  truncated: Type.Boolean({ description: 'There are more violations than are shown.' }),
  unblock: Type.Array(UnblockStep),
});

export type GateItem = Omit<Static<typeof GateViolation>, 'page'>;
export type UnblockItem = Static<typeof UnblockStep>;
