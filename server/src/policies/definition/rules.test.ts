import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ApplicationId, OrganizationId, RepositoryId } from '../../domain/ids.ts';
import { type RuleScopeId, ruleActions, ruleTypes } from '../../domain/policy-enums.ts';
import { nearestRule, type RepositoryScopes, type Rule } from './rules.ts';

/** The repository is in two applications, and in a team of an organization of a company. */
const shop: RepositoryScopes = {
  repositoryId: 'shop' as RepositoryId,
  applicationIds: ['web', 'mobile'] as ApplicationId[],
  organizationIds: ['team', 'acme', 'holding'] as OrganizationId[],
};

let rules = 1_000;
function rule(type: Rule['type'], scope: string, more: Partial<Rule> = {}): Rule {
  const scopeId = scope as RuleScopeId;
  return { id: `rule-${rules++}`, type, scopeId, action: 'include', enforcementMode: null, ...more };
}
const exclude = { action: 'exclude' } as const;

/** Applies the rules of a policy that warns. */
const nearest = (list: Rule[], scopes: RepositoryScopes) => {
  const applied = nearestRule({ rules: list, enforcementMode: 'warn' }, scopes);
  if (!applied) return null;
  const { rule, mode } = applied;
  assert.equal(mode, rule?.enforcementMode ?? 'warn');
  return { rule };
};

test('without a rule a policy applies everywhere', () => {
  assert.deepEqual(nearest([], shop), { rule: null });
});

test('the nearest rule decides: repository, application, organizations from the inside out, workspace', () => {
  const byDistance = [
    rule('repo', 'shop'),
    rule('application', 'mobile'),
    rule('org', 'team'),
    rule('org', 'acme'),
    rule('org', 'holding'),
    rule('workspace', 'w'),
  ];
  const elsewhere = [
    rule('repo', 'other', exclude),
    rule('application', 'a', exclude),
    rule('org', 'o', exclude),
  ];
  for (let from = 0; from < byDistance.length; from++) {
    const left = byDistance.slice(from);
    for (const order of [left, [...left].reverse()]) {
      assert.deepEqual(nearest([...elsewhere, ...order], shop), { rule: left[0] });
    }
    const [first, ...others] = left;
    const taken = { ...(first as Rule), ...exclude };
    assert.equal(
      nearest([...others, taken], shop),
      null,
      'the nearest takes it out, whatever the others say',
    );
  }
});

test('at the same distance exclude wins over include, then the stricter mode wins', () => {
  const [web, mobile] = [rule('application', 'web'), rule('application', 'mobile')];
  for (const order of [
    [web, { ...mobile, ...exclude }],
    [{ ...mobile, ...exclude }, web],
  ]) {
    assert.equal(nearest(order, shop), null);
  }
  assert.deepEqual(nearest([web, mobile], shop), { rule: web });
  assert.deepEqual(nearest([mobile, web], shop), { rule: web });
  const strict = { ...mobile, enforcementMode: 'block' as const };
  assert.deepEqual(nearest([web, strict], shop), { rule: strict });
  assert.deepEqual(nearest([strict, web], shop), { rule: strict });
  const weak = { ...web, enforcementMode: 'monitor' as const };
  assert.deepEqual(nearest([weak, mobile], shop), { rule: mobile }, 'its own mode is the policy’s');
});

test('an include below an excluded organization applies, and the other way round', () => {
  const inside = [rule('org', 'holding', exclude), rule('org', 'acme')];
  assert.deepEqual(nearest(inside, shop), { rule: inside[1] });
  assert.equal(nearest([rule('org', 'holding'), rule('org', 'team', exclude)], shop), null);
});

test('with exclude rules only, all other repositories are included; with an include rule they are not', () => {
  const excludes = [rule('repo', 'other', exclude), rule('org', 'elsewhere', exclude)];
  assert.deepEqual(nearest(excludes, shop), { rule: null });
  assert.equal(nearest([...excludes, rule('repo', 'shop', exclude)], shop), null);
  assert.equal(nearest([...excludes, rule('repo', 'third')], shop), null);
});

test('the mode is that of the deciding rule, else that of the policy', () => {
  const strong = rule('workspace', 'w', { enforcementMode: 'block' });
  const near = rule('repo', 'shop');
  assert.equal(nearest([strong, near], shop)?.rule?.enforcementMode, null);
  assert.equal(nearest([strong], shop)?.rule?.enforcementMode, 'block');
});

test('the order of rules does not matter, and rules of other scopes have no effect', () => {
  const scopes = {
    workspace: ['w'],
    org: ['team', 'acme', 'x'],
    application: ['web', 'x'],
    repo: ['shop', 'x'],
  };
  const some = fc.constantFrom(...ruleTypes).chain((type) =>
    fc.record({
      type: fc.constant(type),
      scopeId: fc.constantFrom(...(scopes[type] as RuleScopeId[])),
      action: fc.constantFrom(...ruleActions),
    }),
  );
  const list = fc
    .uniqueArray(some, { selector: ({ type, scopeId }) => `${type} ${scopeId}`, maxLength: 6 })
    .map((drafts) => drafts.map((draft, i): Rule => ({ ...draft, id: `r${i}`, enforcementMode: null })));
  fc.assert(
    fc.property(
      list.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      ([all, shuffled]) => {
        const result = nearest(all, shop);
        assert.deepEqual(nearest(shuffled, shop), result);
        const here = all.filter(({ scopeId }) => scopeId !== 'x');
        if (here.length > 0) assert.deepEqual(nearest(here, shop), result);
        if (result?.rule) assert.equal(result.rule.action, 'include');
      },
    ),
    { seed: 7, numRuns: 500 },
  );
});
