import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hostLocation } from './host-locations.ts';

test('a host is the same in capital letters, and each port is a location of its own', () => {
  assert.equal(hostLocation('SHED01.garden.example', 443), 'shed01.garden.example:443');
  assert.equal(hostLocation('SHED01.garden.example', null), 'shed01.garden.example');
  assert.equal(hostLocation('2001:DB8::7', 80), '[2001:db8::7]:80');
  assert.equal(hostLocation('shed02.garden.example', 443), 'shed02.garden.example:443');
});
