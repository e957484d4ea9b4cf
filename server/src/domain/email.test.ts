/** Tests of e-mail addresses: one person has one address, and it looks like no other one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForPassword, parseEmail } from './email.ts';

test('an address is folded to lower case, without the blanks around it', () => {
  assert.equal(parseEmail(' Alice@Acme.Example '), 'alice@acme.example');
  assert.equal(parseEmail('ren\u00e9@acme.example'), 'ren\u00e9@acme.example');
});

test('an address that looks like another one is refused', () => {
  for (const address of [
    'alice\u200b@acme.example',
    'alice@acme\u00ad.example',
    'rene\u0301@acme.example',
    '\u212aim@acme.example',
    'alice\u202e@acme.example',
  ]) {
    assert.equal(parseEmail(address), undefined, JSON.stringify(address));
  }
});

test('an address is for a sign-in with a password only if the sign-in library takes it', () => {
  for (const address of ['alice@acme.example', "o'neil+ci@mail.acme.example", 'a.b-c_d@x.yz'])
    assert.ok(isForPassword(address), address);
  for (const address of ['ren\u00e9@acme.example', 'r&d@acme.example', 'a..b@acme.example', 'a@b_c.example'])
    assert.ok(!isForPassword(address), address);
});
