import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConnectionLost } from './connection-errors.ts';

test('a lost connection to the server, or of a coordinator of Citus to a worker, counts as lost, and no other error', () => {
  const lost = [
    { code: 'ECONNREFUSED', message: 'connect ECONNREFUSED 127.0.0.1:5432' },
    { code: '57P01', message: 'terminating connection due to administrator command' },
    { code: '08006', message: 'connection to the remote node app@worker1:5432 failed' },
    { code: 'XX000', message: 'failure on connection marked as essential: worker1:5432' },
    { code: 'XX000', message: 'server closed the connection unexpectedly' },
    { message: 'Connection terminated unexpectedly' },
  ];
  for (const error of lost) assert.equal(isConnectionLost(error), true, error.message);
  const others = [
    { code: 'XX000', message: 'cache lookup failed for relation 16384' },
    { code: '23505', message: 'a name says that the server closed the connection' },
  ];
  for (const error of others) assert.equal(isConnectionLost(error), false, error.message);
});
