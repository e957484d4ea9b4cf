/**
 * Tests of requests to addresses that a workspace has chosen: which are refused, and what the result shows of the
 * answer.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  DeliveryError,
  type Lookup,
  type OutboundOptions,
  outboundPost,
} from '../../src/notifications/outbound/outbound-request.ts';
import { isPublicAddress, networksOf } from '../../src/notifications/outbound/public-address.ts';

const nothingAllowed: OutboundOptions = { allowed: networksOf([]), usesSystemNames: false };
const loopbackAllowed: OutboundOptions = { allowed: networksOf(['127.0.0.0/8']), usesSystemNames: true };
const resolvesTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

let server: Server;
let port = 0;
let requests = 0;
before(async () => {
  server = createServer((request, response) => {
    requests++;
    if (request.url === '/moved') {
      response
        .writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` })
        .end('secret of the network');
    } else if (request.url === '/large') {
      response.writeHead(200);
      const pour = (): void => {
        while (response.write('x'.repeat(64 * 1024)));
      };
      response.on('drain', pour);
      pour();
    } else if (request.url === '/stalls') response.writeHead(202).write('begins');
    else if (request.url === '/silent') return;
    else response.writeHead(200).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const refusal = async (address: string, options: OutboundOptions): Promise<string> => {
  const error = await outboundPost(address, {}, '{}', options).then(
    ({ status }) => assert.fail(`${address} was reached: ${status}`),
    (error) => error,
  );
  assert.ok(error instanceof DeliveryError, String(error));
  return error.message;
};

describe('addresses', () => {
  for (const address of [
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.31.255.255',
    '192.0.0.192',
    '192.168.1.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::7f00:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:7f00:1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '100::1',
    '200:1234::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    '3fff::1',
    '4000::1',
    '5f00::1',
    '7fff::1',
    '9000::1',
    'fd00:ec2::254',
    'fe80::1',
    'fec0::1',
    'fe80::1%eth0',
    'ff02::1',
    'localhost',
    '',
  ]) {
    test(`${address || 'an empty text'} is no public address`, () => {
      assert.equal(isPublicAddress(address), false);
    });
  }
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.32.0.1',
    '192.169.0.1',
    '2606:4700::1111',
    '2a00:1450::1',
  ]) {
    test(`${address} is a public address`, () => assert.equal(isPublicAddress(address), true));
  }
});

describe('refused addresses', () => {
  test('loopback in each spelling of an address is refused before a connection is opened', async () => {
    const before = requests;
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '0.0.0.0',
      '[::]',
      '１２７.0.0.1',
    ]) {
      assert.match(await refusal(`http://${host}:${port}/`, nothingAllowed), /not public/, host);
    }
    assert.equal(requests, before);
  });

  test('a name that resolves to loopback is refused, also if only one of its addresses is', async () => {
    const before = requests;
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['::ffff:127.0.0.1'],
      ['2606:4700::1', '::1'],
    ]) {
      const options = { ...nothingAllowed, lookup: resolvesTo(...addresses) };
      const message = await refusal(`https://innocent.example:${port}/`, options);
      assert.match(message, /not public/);
      for (const address of addresses)
        assert.ok(!message.includes(address), 'the message does not contain the address');
    }
    assert.equal(requests, before);
  });

  test('a name is resolved once, so that the checked address is used even if the name changes its address', async () => {
    let lookups = 0;
    const lookup: Lookup = async () => {
      lookups++;
      return [{ address: lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const { status } = await outboundPost(`http://changes.example:${port}/`, {}, '{}', {
      ...loopbackAllowed,
      lookup,
    });
    assert.deepEqual([status, lookups], [200, 1]);
  });

  test('localhost of the machine itself is refused unless the operator allows loopback', async () => {
    await refusal(`http://localhost:${port}/`, nothingAllowed);
    const both = { ...loopbackAllowed, allowed: networksOf(['127.0.0.0/8', '::1/128']) };
    assert.deepEqual(await outboundPost(`http://localhost:${port}/`, {}, '{}', both), { status: 200 });
  });

  test('http to a public address is refused', async () => {
    const options = { ...loopbackAllowed, lookup: resolvesTo('8.8.8.8') };
    assert.match(await refusal('http://public.example/', options), /needs https/);
  });

  test('an allowed network allows no other one', async () => {
    const options = { ...nothingAllowed, allowed: networksOf(['10.0.0.0/8']) };
    assert.match(await refusal(`http://127.0.0.1:${port}/`, options), /not public/);
  });
});

describe('the result of a request', () => {
  test('a redirect is an answer and is not followed', async () => {
    const before = requests;
    const answer = await outboundPost(`http://127.0.0.1:${port}/moved`, {}, '{}', loopbackAllowed);
    assert.deepEqual(answer, { status: 302 });
    assert.equal(requests, before + 1);
  });

  test('an endless answer is cut off, and its status counts', async () => {
    const answer = await outboundPost(`http://127.0.0.1:${port}/large`, {}, '{}', loopbackAllowed);
    assert.deepEqual(answer, { status: 200 });
  });

  test('a body that stalls after the status is not waited for beyond the time of the request', async () => {
    const options = { ...loopbackAllowed, timeoutMs: 300 };
    const answer = await outboundPost(`http://127.0.0.1:${port}/stalls`, {}, '{}', options);
    assert.deepEqual(answer, { status: 202 });
  });

  test('a receiver that never answers, and a name server that never answers, end by the time of the request', async () => {
    const options = { ...loopbackAllowed, timeoutMs: 200 };
    assert.match(await refusal(`http://127.0.0.1:${port}/silent`, options), /no answer within 0.2 seconds/);
    const lookup: Lookup = () => new Promise(() => {});
    assert.match(await refusal('https://slow.example/', { ...options, lookup }), /no answer within/);
  });

  test('an answer in another protocol gives an error code without the content of the answer', async () => {
    const tcp = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_secret\r\n'));
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port: tcpPort } = tcp.address() as AddressInfo;
    const message = await refusal(`http://127.0.0.1:${tcpPort}/`, loopbackAllowed);
    assert.doesNotMatch(message, /SSH/);
    tcp.close();
  });

  test('an answer that switches the protocol counts as no answer', async () => {
    const tcp = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');
    });
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const { port: tcpPort } = tcp.address() as AddressInfo;
    const options = { ...loopbackAllowed, timeoutMs: 5_000 };
    await refusal(`http://127.0.0.1:${tcpPort}/`, options);
    tcp.close();
  });

  test('a port without a listener gives the error "refused"', async () => {
    assert.match(await refusal('http://127.0.0.1:1/', loopbackAllowed), /connection was refused/);
  });
});
