/**
 * Tests of conformance of policy violations: real answers of the list and the detail, compared with the tables of the
 * contract, for every type of target and every state. Each nullable field is seen both null and not null.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, type ProviderId } from '../../src/domain/ids.ts';
import type { Answer, Json } from '../support/client.ts';
import { type Shape, ShapeChecker } from './shapes.ts';
import * as spec from './violation-tables.ts';
import {
  createViolationWorkspace,
  daysAgo,
  repositories,
  sha,
  shown,
  type ViolationList,
} from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, client, base, list, all, idOf, find, show } = world;
const checker = new ShapeChecker();

function fits(shape: Shape, answer: Answer, name: string): void {
  assert.equal(answer.status, 200, `${name}: ${answer.text}`);
  assert.equal(answer.headers['cache-control'], 'private, no-store');
  assert.deepEqual(checker.problems(shape, answer.body, name), []);
}

describe('the tables', () => {
  test('11: every list has the promised form', async () => {
    for (const repo of repositories) {
      for (const query of ['', '&per_page=1', '&ref=HEAD', '&ref=main', '&ref=feature/x', '&ref=nowhere']) {
        fits(spec.policyViolations, await client.get(`${base}?repo=${repo}${query}`), 'list');
      }
      const filtered =
        '&status=open,resolved&enforcement=block,none&policy=critical&target_type=vulnerability';
      fits(spec.policyViolations, await client.get(`${base}?repo=${repo}${filtered}`), 'list');
    }
  });

  test('12: every detail has the promised form', async () => {
    for (const { id } of await all()) {
      fits(spec.policyViolation, await client.get(`${base}/${id}`), 'detail');
    }
  });

  test('every value of every enumeration was seen', () => {
    const text = (place: string): string[] => [...(checker.seenValues.get(place) ?? [])].sort();
    for (const place of ['list.items[]', 'detail.violation']) {
      assert.deepEqual(text(`${place}.status`), spec.violationStatuses.toSorted(), place);
      assert.deepEqual(text(`${place}.enforcement_mode`), spec.enforcementModes.toSorted(), place);
      assert.deepEqual(text(`${place}.policy.target_type`), spec.targetTypes.toSorted(), place);
      assert.deepEqual(text(`${place}.policy.status`), ['active', 'disabled', 'draft'], place);
      assert.deepEqual(text(`${place}.policy.type`), ['builtin', 'custom'], place);
      assert.deepEqual(text(`${place}.rule`), ['application', 'org', 'repo', 'workspace'], place);
      const targets = spec.targetTypes.map((type) => (type === 'repository' ? 'none' : type));
      assert.deepEqual(text(`${place}.target`), targets.sort(), place);
    }
    assert.deepEqual(text('detail.rule(repo).action'), ['exclude', 'include']);
    assert.deepEqual(text('detail.override.mode'), ['downgrade', 'exempt']);
    assert.deepEqual(text('list.items[].target(analysis).vulnerable_reason'), [
      'current',
      'never_scanned',
      'stale',
    ]);
  });

  test('every nullable field was seen both null and with a value', () => {
    // Manifests are not grouped, and no source says when a setting was exploited.
    const never = ['list.items[]', 'detail.violation', 'detail'].flatMap((place) => [
      `${place}.target(manifest).group_key`,
      `${place}.target(provider).exploitable_at`,
    ]);
    // The id of a rule is one field for all types of rules.
    const { null: neverNull, value: neverSet } = checker.unseen();
    const ofRule = (place: string): boolean => place.startsWith('detail.rule(');
    assert.deepEqual(
      neverSet.filter((place) => !ofRule(place)),
      never.sort(),
    );
    assert.deepEqual(
      neverNull.filter((place) => !ofRule(place)),
      [],
    );
    assert.ok([...checker.seenNull].some(ofRule) && [...checker.seenValue].some(ofRule));
  });
});

describe('targets', () => {
  const manifest = { type: 'manifest', group_key: null, uses_grouped_identity: false };
  const cases: [policy: string, repo: string, words: string, target: Json][] = [
    [
      'critical',
      'acme/shop',
      'lib0',
      {
        type: 'vulnerability',
        title: 'lib0: CVE-2030-1000',
        severity: 'critical',
        status: 'open',
        vulnerability_type: 'dependency',
      },
    ],
    [
      'code',
      'acme/shop',
      'Rule 2',
      {
        type: 'vulnerability',
        title: 'Rule 2',
        severity: 'medium',
        status: 'fixed',
        vulnerability_type: 'sast',
      },
    ],
    [
      'stale-scans',
      'acme/old',
      'sast',
      {
        type: 'analysis',
        analysis_type: 'sast',
        vulnerable_at: shown(daysAgo(10)),
        vulnerable_reason: 'stale',
      },
    ],
    [
      'stale-scans',
      'acme/stale',
      'sast',
      { type: 'analysis', analysis_type: 'sast', vulnerable_at: null, vulnerable_reason: 'current' },
    ],
    [
      'images',
      'acme/team/shed',
      'shed',
      { type: 'asset', name: 'registry.example/garden/shed', asset_type: 'container_image' },
    ],
    [
      'manifests',
      'acme/team/api',
      'web/',
      {
        ...manifest,
        display_name: 'web/package-lock.json',
        manifest_type: 'npm',
        language: 'javascript',
        manifest_file: 'web/package.json',
        lock_file: 'web/package-lock.json',
      },
    ],
    [
      'manifests',
      'acme/team/api',
      'go.mod',
      {
        ...manifest,
        display_name: 'go.mod',
        manifest_type: 'gomod',
        language: 'go',
        manifest_file: 'go.mod',
        lock_file: null,
      },
    ],
    [
      'manifests',
      'acme/team/shed',
      'image',
      {
        ...manifest,
        display_name: 'garden/shed',
        manifest_type: 'image',
        language: null,
        manifest_file: null,
        lock_file: null,
      },
    ],
    [
      'spade',
      'acme/team/api',
      'spade',
      {
        type: 'package',
        purl: 'pkg:npm/%40tools/spade',
        package_type: 'npm',
        namespace: '@tools',
        name: 'spade',
      },
    ],
    [
      'fence',
      'acme/team/api',
      'rope',
      { type: 'package', purl: 'pkg:npm/rope', package_type: 'npm', namespace: null, name: 'rope' },
    ],
    [
      'fence',
      'acme/team/shed',
      'libgarden',
      {
        type: 'package',
        purl: 'pkg:deb/debian/libgarden',
        package_type: 'deb',
        namespace: 'debian',
        name: 'libgarden',
      },
    ],
  ];

  for (const [policy, repo, text, expected] of cases) {
    test(`${expected.type}: ${text} in ${repo}`, async () => {
      const item = await find(policy, text, repo);
      const { id, ...target } = item.target;
      assert.match(id, /^[a-z]+_/);
      assert.deepEqual(target, expected);
      assert.equal(item.scope.type, 'repo');
      assert.equal(item.scope.name, repo.split('/').at(-1));
    });
  }

  test('package_version of an SBOM has the package that policies about packages name', async () => {
    const item = await find('copyleft', 'libgarden', 'acme/team/sbom');
    const { target } = await find('fence', 'libgarden', 'acme/team/sbom');
    const { id, ...rest } = item.target;
    assert.match(id, /^pkgv_/);
    assert.deepEqual(rest, {
      type: 'package_version',
      purl: 'pkg:deb/debian/libgarden@1.0-1',
      version: '1.0-1',
      package_id: target.id,
    });
  });

  test('provider shows settings of the inventory, and what is still known of a deleted one', async () => {
    const { items } = await list({ repo: 'acme/quiet', policy: 'protection' });
    const at = (name: string) => idOf('provider_setting', `name = '${name}'`);
    const { rows } = await server.owner.query<{ at: Date }>(
      'select changed_at as at from provider_setting where id = $1',
      [await at('reviews')],
    );
    const own = { type: 'provider', provider: 'bitbucket', exploitable_at: null };
    const targets = new Map(items.map((item) => [item.target.id, item.target]));
    const known = [await at('reviews'), await at('branch_protection')].map((id) =>
      formatId('provider', id as ProviderId),
    );
    const vulnerable_at = shown(rows[0]?.at ?? new Date(0));
    assert.deepEqual(
      known.map((id) => targets.get(id)),
      [
        { ...own, id: known[0], vulnerable_at, manual_override: true },
        { ...own, id: known[1], vulnerable_at, manual_override: false },
      ],
    );
    const [gone] = items.filter((item) => !known.includes(item.target.id));
    assert.deepEqual(gone?.target, {
      ...own,
      id: gone?.target.id,
      vulnerable_at: null,
      manual_override: false,
    });
    assert.deepEqual([gone?.status, gone?.metadata], ['resolved', {}]);
  });

  test('repository is an empty list, in the list and in the detail', async () => {
    const { items } = await list({ repo: 'acme/shop', target_type: 'repository' });
    assert.deepEqual(
      items.map((item) => [item.policy.key, item.target]),
      [['fallow', []]],
    );
    assert.deepEqual((await show(items[0]?.id ?? '')).target, []);
  });
});

test('repository and reference of the list are those of the request', async () => {
  const of = async (parameters: Record<string, string>): Promise<ViolationList['reference']> =>
    (await list(parameters)).reference;
  assert.equal((await list({})).repository.full_name, 'acme/shop');
  assert.deepEqual(await of({}), { ref: 'main', sha });
  assert.deepEqual(await of({ ref: 'feature/x' }), { ref: 'feature/x', sha: null });
  assert.deepEqual(await of({ ref: 'refs/heads/main' }), { ref: 'main', sha });
  assert.deepEqual(await of({ repo: 'acme/quiet' }), { ref: null, sha: null });
  assert.deepEqual(await of({ ref: 'nowhere' }), { ref: 'nowhere', sha: null });
});
