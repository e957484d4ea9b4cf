/** The two canary workspaces on a database of the test's own. */
import { createCanaries, type World } from '../../src/doctor/isolation/canaries.ts';
import { createTestServer, type TestServer } from './server.ts';

export const worldNames = {
  home: { slug: 'home', mark: 'wrenhouse' },
  foreign: { slug: 'foreign', mark: 'zebrafinch' },
  canary: false,
};

export async function createWorld(): Promise<World<TestServer>> {
  const world = await createCanaries(await createTestServer(), worldNames);
  await letOperate(world);
  return world;
}

/** The admins become operators, who may make workspaces. */
async function letOperate({ server, home, foreign }: World<TestServer>): Promise<void> {
  await server.owner.query('update user_account set operator = true where id = any($1)', [
    [home, foreign].map(({ people }) => people.admin.user.id),
  ]);
}
