/**
 * Tests of two nodes behind HAProxy, nginx and Caddy, with the samples of `deploy/proxy`: each node is restarted under
 * load, and no request fails.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import { exitOf, start, untilSays } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { get, nodeSettings, sendReport, stop, untilFinal } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { webProxies } from '../support/web-proxy.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const database = await createTestDatabase();
const { people } = await createTestWorkspace(database, 'acme');
const { key } = people.admin;

for (const { name, problem, endSignal, start: startProxy } of webProxies) {
  test(`behind ${name} a rolling restart of two nodes fails no request and loses no report`, {
    skip: problem ?? false,
  }, async (t) => {
    const ports = [await freePort(), await freePort()];
    const settings = { ...nodeSettings(database), MERLON_DRAIN_SECONDS: '3' };
    const nodes: ChildProcess[] = [];
    const startNode = async (i: number): Promise<void> => {
      const node = start(['serve', '--port', String(ports[i])], settings);
      nodes[i] = node;
      await untilSays(node, /Merlon answers/);
    };
    await Promise.all([startNode(0), startNode(1)]);
    const proxyPort = await freePort();
    const load = new AbortController();
    const proxy = startProxy({
      port: proxyPort,
      nodes: ports.map((port) => `127.0.0.1:${port}`),
      certificate: null,
    });
    t.after(async () => {
      load.abort();
      proxy.child.kill(endSignal);
      await Promise.all(nodes.map((node) => stop(node)));
    });
    const url = `http://127.0.0.1:${proxyPort}`;
    const isReady = async (): Promise<boolean> =>
      (await get(url, '/readyz').catch(() => null))?.status === 200;
    await until(isReady, 'a node is ready');

    const answers = { count: 0, failed: [] as string[] };
    const scans: string[] = [];
    const read = async (): Promise<void> => {
      while (!load.signal.aborted) {
        const answer = await get(url, '/api/v1/acme/vulnerabilities', key).catch((error: Error) => error);
        answers.count++;
        if (answer instanceof Error) answers.failed.push(String(answer.cause ?? answer));
        else if (answer.status !== 200) answers.failed.push(JSON.stringify(answer));
        await sleep(5);
      }
    };
    const upload = async (): Promise<void> => {
      while (!load.signal.aborted) {
        const number = scans.length;
        const report = trivy([{ id: `CVE-2030-${1000 + number}`, name: 'lodash', version: '4.17.15' }]);
        const body = Buffer.from(JSON.stringify(report));
        const query = { repo: `acme/${name}-${number}`, ref: 'main' };
        const answer = await sendReport({ url, key, slug: 'acme', query, body }).catch(
          (error: Error) => error,
        );
        answers.count++;
        if (answer instanceof Error) answers.failed.push(String(answer));
        else if (answer.status !== 202) answers.failed.push(answer.text);
        else scans.push(JSON.parse(answer.text).id);
        await sleep(100);
      }
    };
    const loading = Promise.all([...Array.from({ length: 6 }, read), upload()]);
    const restart = async (i: 0 | 1): Promise<void> => {
      await sleep(1_500);
      const node = nodes[i] as ChildProcess;
      const exit = exitOf(node);
      node.kill('SIGTERM');
      await sleep(500);
      const drained = await get(`http://127.0.0.1:${ports[i]}`, '/readyz');
      assert.equal(drained.body.code, 'SERVICE_UNAVAILABLE');
      assert.equal(await exit, 0);
      await startNode(i);
      // The proxy checks once a second whether the node is back.
      await sleep(1_500);
    };
    await restart(0)
      .then(() => restart(1))
      .finally(() => load.abort());
    await loading;
    console.log(
      `${name}: ${answers.count} requests, ${answers.failed.length} failed, ${scans.length} reports`,
    );
    assert.deepEqual(answers.failed, []);
    assert.ok(answers.count > 200 && scans.length > 10, `${answers.count} requests, ${scans.length} reports`);
    for (const id of scans) {
      const scan = await untilFinal(url, `/api/v1/acme/scans/${id}`, key, 60_000);
      assert.equal(scan.status, 'completed');
    }
  });
}
