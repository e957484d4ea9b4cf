/** The walk of `merlond doctor isolation` as a gate: every route, with every foreign value that it can be given. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildApp } from '../../src/app.ts';
import { unknownRoutes } from '../../src/doctor/isolation/known-registered.ts';
import { walkedRoutes } from '../../src/doctor/isolation/known-routes.ts';
import { describeFinding } from '../../src/doctor/isolation/prober.ts';
import { collectRoutes, prepareWalk, runWalk } from '../../src/doctor/isolation/self-test.ts';
import { fieldOf } from '../support/fields.ts';
import { createTestServer } from '../support/server.ts';
import { worldNames } from '../support/world.ts';

const { made: server, registered } = await collectRoutes(() => createTestServer());
const walk = await prepareWalk(server, { names: worldNames, registered });

test('the walk finds nothing foreign on any route, by any credential, filter or cursor', async () => {
  const steps: string[] = [];
  const findings = await runWalk(walk, (step) => steps.push(step.name));
  assert.equal(findings.map(describeFinding).join('\n'), '');
  assert.ok(steps.length > walkedRoutes.length * 2, `only ${steps.length} steps`);
});

test('an unknown route is a finding', async () => {
  const { registered: more } = await collectRoutes(async () => {
    const app = await buildApp({ config: server.config, db: server.db, secret: server.secret, log: false });
    const handler = async (): Promise<object> => ({});
    app.get('/api/v1/:tenant_slug/forgotten', { config: { access: 'key' } }, handler);
    app.get('/open', { config: { access: 'public' } }, handler);
    await app.close();
  });
  assert.deepEqual(fieldOf(unknownRoutes(more), 'route'), [
    'GET /api/v1/:tenant_slug/forgotten',
    'GET /open',
  ]);
});
