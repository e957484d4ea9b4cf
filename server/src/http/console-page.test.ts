import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consolePage } from './console-page.ts';

test('a page of the console is a whole address where the public URL is known, else a path', () => {
  assert.equal(consolePage(null, 'acme', 'scans/scan_1'), '/w/acme/scans/scan_1');
  assert.equal(
    consolePage('https://merlon.example.com', 'acme', 'scans/scan_1'),
    'https://merlon.example.com/w/acme/scans/scan_1',
  );
});
