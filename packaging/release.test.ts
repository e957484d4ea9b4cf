/**
 * Tests the version: it is in the root package.json, and every other place agrees. The workflow of a release uses
 * existing files.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { openvex } from '../server/src/parsers/openvex.ts';
import { readContent } from '../server/test/support/format-reports.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const { version, scripts } = JSON.parse(read('package.json')) as {
  version: string;
  scripts: Record<string, string>;
};

test('the chart and the Compose file name the version of package.json', () => {
  const chart = parse(read('deploy/helm/merlon/Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  const images = [...read('deploy/compose.yaml').matchAll(/image: \S+\/merlon:(\S+)/g)].map(([, tag]) => tag);
  assert.deepEqual(images, [version]);
});

test('the scripts and files of the release workflow exist', () => {
  const text = read('.github/workflows/release.yml');
  const workflow = parse(text) as {
    jobs: Record<string, { steps: { run?: string; uses?: string }[] }>;
  };
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps);
  const commands = steps.map(({ run = '' }) => run).join('\n');
  for (const [, name = ''] of commands.matchAll(/npm run (\S+)/g)) assert.ok(scripts[name], name);
  const files = [...commands.matchAll(/--file (\S+)/g)].map(([, file = '']) => file);
  assert.deepEqual(files, ['deploy/Dockerfile']);
  for (const file of [...files, '.ci/run']) assert.ok(existsSync(join(root, file)), file);
  for (const { uses } of steps)
    if (uses) assert.match(uses, /@[0-9a-f]{40}$/, 'an action is named by its commit');
  for (const name of text.matchAll(/(MERLON_\w+)=/g))
    assert.match(read('deploy/Dockerfile'), new RegExp(`^ARG ${name[1]}=`, 'm'));
});

test('the VEX document about the image is one that Merlon can read', () => {
  const report = readContent(openvex, read('security/merlon.openvex.json'));
  assert.deepEqual([report.unreadable, report.warnings], [[], []]);
  for (const { status, reason, package: named, advisories } of report.statements) {
    assert.equal(status, 'not_affected', advisories[0]);
    assert.match(reason ?? '', /^vulnerable_code_\w+: \S/);
    assert.match(named?.purl ?? '', /^pkg:deb\/debian\//);
  }
  assert.ok(report.statements.length > 0);
});
