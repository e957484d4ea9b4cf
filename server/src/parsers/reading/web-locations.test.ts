import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn, webLocation } from './web-locations.ts';

test('parts of an address that change from request to request are removed', () => {
  for (const [address, location] of [
    ['https://garden.example', 'https://garden.example/'],
    ['HTTPS://Garden.Example:443/Bed?id=1#top', 'https://garden.example/Bed'],
    ['http://user:word@garden.example:8080/bed', 'http://garden.example:8080/bed'],
    ['https://garden.example/bed;jsessionid=1A/rose;v=1', 'https://garden.example/bed/rose'],
    ['https://garden.example/%3Cscript%3E/..%5cbed', 'https://garden.example/%3Cscript%3E/..%5cbed'],
    ['garden.example:22', 'garden.example:22'],
    ['garden.example?x=1', 'garden.example'],
    ['/etc/../bed', 'bed'],
    ['https://../etc/bed', 'etc/bed'],
    ['  ', null],
  ] as const) {
    assert.equal(webLocation(address), location, address);
  }
});

test('addresses in text and in markup are found', () => {
  assert.deepEqual(
    addressesIn('- http://a.example/1\n- <p>https://b.example/2.</p> (https://c.example), ftp://d.example'),
    ['http://a.example/1', 'https://b.example/2', 'https://c.example'],
  );
});

test('a location has a bounded length, also where percent-encoding makes the address longer', () => {
  const path = 'word /:[(. ';
  assert.equal(webLocation(`https://garden.example/${path.repeat(370)}`)?.length, 4096);
  assert.equal(webLocation(`garden.example:8080/${'ü'.repeat(5_000)}`)?.length, 4096);
});
