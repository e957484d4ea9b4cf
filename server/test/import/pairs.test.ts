/**
 * Tests of pairs of real reports, if the samples are beside the checkout: reports of one project in order, and their
 * differences as a person counts them.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { unpackState } from '../../src/domain/packed-state.ts';
import { createTestDatabase } from '../support/database.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const root = new URL('../../../../shared/samples/pairs/', import.meta.url);
const skip = existsSync(root) ? false : 'no ../shared/samples beside this checkout';

const database = await createTestDatabase();
await createTestWorkspace(database, 'acme');

interface Step {
  file: string;
  opened?: number;
  fixed?: number;
  reopened?: number;
  unchanged?: number;
  held?: number;
}

/** Imports reports of one project in order of time. Counts that are not named are 0. */
async function assertSteps(folder: string, steps: Step[], repository = `pairs/${folder}`): Promise<void> {
  const inputs = steps.map(({ file }) =>
    reportInput('', { repository, report: readFileSync(new URL(`${folder}/${file}`, root)) }),
  );
  const scans = await importAll(database, 'acme', inputs);
  const outcomes = scans.map(({ counts, error }, i): Step & { error: unknown } => {
    const { new: opened = 0, fixed = 0, reopened = 0, unchanged = 0, closing_held: held = 0 } = counts ?? {};
    return { file: steps[i]?.file ?? '', opened, fixed, reopened, unchanged, held, error };
  });
  const none = { opened: 0, fixed: 0, reopened: 0, unchanged: 0, held: 0, error: null };
  assert.deepEqual(
    outcomes,
    steps.map((step) => ({ ...none, ...step })),
  );
}

// The code is the same. The new data has 31 more advisories, and none was removed. One of them (GO-2026-4918) is in two
// modules, the standard library and golang.org/x/net, which are upgraded separately: two problems.
test('pair: govulncheck, the same code with newer data', { skip }, () =>
  assertSteps('govulncheck-same-code-new-db', [
    { file: 'before_2026-04-08.json', opened: 40 },
    { file: 'after_2026-06-16.json', opened: 32, unchanged: 40 },
  ]),
);

// The manifest compares with versions: 1349 in both, 218 new, 160 missing. Of the 218, 114 are the same problem of the
// same package in another vulnerable version: 1349 + 114 stay, 104 are new, 46 are fixed.
test('pair: Grype, another base image', { skip }, () =>
  assertSteps('grype-python-base-image-bump', [
    { file: 'before_python-3.6_1509.json', opened: 1509 },
    { file: 'after_python-3.7.10_1567.json', opened: 104, fixed: 46, unchanged: 1463 },
  ]),
);

// npm 6 gives the CVE and npm's number, npm 7 the number alone, the reports of the next year GitHub's id, and npm 6
// with it the CVE: each shares a name with the previous one.
test('pair: npm audit, a project over versions of npm, with a CVE', { skip }, () =>
  assertSteps(
    'npm-audit-same-project-v6-v7',
    [
      { file: 'npm-high_2021-10-07_npm6.json', opened: 1 },
      { file: 'npm-high_2021-10-07_npm7.json', unchanged: 1 },
      { file: 'npm-high_2022-03-11_npm6.json', unchanged: 1 },
      { file: 'npm-high_2022-03-11_npm7.json', unchanged: 1 },
    ],
    'pairs/npm-high',
  ),
);

// There is no CVE. In 2021 the advisory has only npm's number, in 2022 another number and GitHub's id; the title, the
// range of versions and the text have changed too. A person may guess that they are the same, but the reports do not
// say so, and a guess must not merge.
test('pair: npm audit, a project over versions of npm, without a CVE', { skip }, () =>
  assertSteps(
    'npm-audit-same-project-v6-v7',
    [
      { file: 'npm-critical_2021-10-07_npm6.json', opened: 1 },
      { file: 'npm-critical_2021-10-07_npm7.json', unchanged: 1 },
      { file: 'npm-critical_2022-03-11_npm6.json', opened: 1, fixed: 1 },
      { file: 'npm-critical_2022-03-11_npm7.json', unchanged: 1 },
    ],
    'pairs/npm-critical',
  ),
);

// Three rows, then four, with three ids and then four; but GHSA-m5pq-gvj9-9vr8 and RUSTSEC-2022-0013 are CVE-2022-24713
// of regex, and GO-2021-0053 and the new GHSA-c3h9-896r-86jm are CVE-2021-3121 of gogo/protobuf: two problems, as
// before.
test('pair: OSV-Scanner, two branches', { skip }, () =>
  assertSteps('osv-scanner-ci-diff', [
    { file: 'before.json', opened: 2 },
    { file: 'after.json', unchanged: 2 },
  ]),
);

// One result is new and suppressed from the start, one is suppressed now, one no longer, and one as before.
test('pair: SARIF, suppressions by file are added and removed', { skip }, async () => {
  const statuses = async () => {
    const { rows } = await database.owner.query(
      `select v.rule, v.packed_state from vulnerability v join repository r on r.id = v.repository_id
        where r.full_name = 'pairs/sarif-suppression' order by v.rule`,
    );
    return Object.fromEntries(rows.map((row) => [row.rule, unpackState(row.packed_state).status]));
  };
  await assertSteps('sarif-suppression', [{ file: 'before.sarif', opened: 3 }]);
  assert.deepEqual(await statuses(), { TST0002: 'open', TST0003: 'ignored', TST0004: 'ignored' });
  await assertSteps('sarif-suppression', [{ file: 'after.sarif', opened: 1, unchanged: 3 }]);
  assert.deepEqual(await statuses(), {
    TST0001: 'ignored',
    TST0002: 'ignored',
    TST0003: 'ignored',
    TST0004: 'open',
  });
});

// The finding moves from line 31 to 24 with its fingerprint. Another fingerprint on the same line means another
// problem.
test('pair: Semgrep, a finding moves and then becomes another', { skip }, () =>
  assertSteps('semgrep-close-old', [
    { file: '1_line31.json', opened: 1 },
    { file: '2_line24.json', unchanged: 1 },
    { file: '3_other-fingerprint.json', opened: 1, fixed: 1 },
  ]),
);

// The same code with more rules: nothing is fixed.
test('pair: Semgrep, the professional engine after the open one', { skip }, () =>
  assertSteps('semgrep-juice-shop-oss-to-pro', [
    { file: 'before_oss-rules.json', opened: 66 },
    { file: 'after_pro-engine.json', opened: 29, unchanged: 66 },
  ]),
);

test('pair: Trivy, an image over two years', { skip }, () =>
  assertSteps('trivy-centos-7-timeline', [
    { file: '1_2020-04-14_664.json', opened: 664 },
    // New vulnerability data: 84 more, 19 fixed.
    { file: '2_2020-04-16_729.json', opened: 84, fixed: 19, unchanged: 645 },
    // 19 are fixed. The one that is new compared with the previous report was in the first report.
    { file: '3_2020-12-14_711.json', fixed: 19, reopened: 1, unchanged: 710 },
    // The tarball was moved, so every target has another name. The problems are the same.
    { file: '4_2021-07-09_711-target-renamed.json', unchanged: 711 },
    // The report's own schema changed.
    { file: '5_2021-10-04_711-schema2.json', unchanged: 711 },
    // 708 of 711 are missing at once. That is more likely a broken scanner than a good day, so the closing is held.
    { file: '6_2022-01-28_3.json', unchanged: 3, held: 708 },
  ]),
);

// An alert is one vulnerability, and its instances are locations. The manifest compares plug-in, address and parameter.
// The second scan has four new kinds of alerts, and one of the first scan is fixed with its page.
test('pair: ZAP, two scans of one application', { skip }, () =>
  assertSteps('zap-two-scans', [
    { file: 'before.xml', opened: 15 },
    { file: 'after.xml', opened: 4, fixed: 1, unchanged: 14 },
  ]),
);

test('the data of this file breaks no invariant', { skip }, () => assertInvariants(database.owner));
