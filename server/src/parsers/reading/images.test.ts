import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageCategory, nameOfImage, parseImage } from './images.ts';

test('an image is named with its registry, without tag and digest', () => {
  for (const [written, name, tag] of [
    ['python', 'python', null],
    ['python:3.12-slim', 'python', '3.12-slim'],
    ['registry.example:5000/garden/shed', 'registry.example:5000/garden/shed', null],
    ['registry.example:5000/garden/shed:1.3', 'registry.example:5000/garden/shed', '1.3'],
    [`ghcr.io/garden/shed:1.3@sha256:${'0'.repeat(64)}`, 'ghcr.io/garden/shed', '1.3'],
    [`ghcr.io/garden/shed@sha256:${'0'.repeat(64)}`, 'ghcr.io/garden/shed', null],
    ['docker://ghcr.io/garden/shed:1', 'ghcr.io/garden/shed', '1'],
    ['podman:garden/shed:1', 'garden/shed', '1'],
    ['registry:shed:1', 'shed', '1'],
    ['docker-daemon:shed:1', 'shed', '1'],
    ['containers-storage:garden/shed:1', 'garden/shed', '1'],
    ['podman:shed', 'shed', null],
    ['podman:v5.2.1', 'podman', 'v5.2.1'],
    [`podman:5@sha256:${'0'.repeat(64)}`, 'podman', '5'],
    ['singularity:out/1.sif', '1.sif', null],
    ['containerd:1.7.2', 'containerd', '1.7.2'],
    ['oci://ghcr.io/garden/shed:1', 'ghcr.io/garden/shed', '1'],
    ['docker:dind', 'docker', 'dind'],
    [`docker:dind@sha256:${'0'.repeat(64)}`, 'docker', 'dind'],
    ['registry:5000/shed:1', 'registry:5000/shed', '1'],
    [' shed:1\u0000 ', 'shed', '1'],
    // No registry takes such a tag.
    ['shed:1 2', 'shed', null],
    // Archives and directories: their folder has no meaning.
    ['/tmp/x.tar', 'x.tar', null],
    ['build/images/shed.tar.gz', 'shed.tar.gz', null],
    ['C:\\images\\shed.tgz', 'shed.tgz', null],
    ['docker-archive:out/shed.tar', 'shed.tar', null],
    ['file:///tmp/shed.tar', 'shed.tar', null],
    ['./layout/', 'layout', null],
    ['/builds/layout:1.2', 'layout', '1.2'],
    ['build/shed.tar:1.2', 'shed.tar', '1.2'],
    ['oci-dir:out-77/layout', 'layout', null],
    ['oci:out/layout:1.2', 'layout', '1.2'],
    ['build-77/shed.vmdk', 'shed.vmdk', null],
    // The digest is the only name of this image.
    ['sha256:0123456789abcdef', 'sha256:0123456789abcdef', null],
  ] as const) {
    assert.deepEqual(parseImage(written), { name, tag }, written);
  }
  for (const nothing of [null, '', '  ', ':1', '@sha256:00', '/']) assert.equal(parseImage(nothing), null);
});

test('a version beside the name is the tag, unless the name has one or it is a digest', () => {
  assert.deepEqual(parseImage('garden/shed', '1.3'), { name: 'garden/shed', tag: '1.3' });
  assert.deepEqual(parseImage('garden/shed:1.2', '1.3'), { name: 'garden/shed', tag: '1.2' });
  assert.deepEqual(parseImage('garden/shed', 'sha256:0123'), { name: 'garden/shed', tag: null });
  assert.deepEqual(parseImage('/tmp/shed.tar', '1.3'), { name: 'shed.tar', tag: null });
});

test('the category is the same for another registry, tag or folder of an archive', () => {
  for (const [category, ...images] of [
    ['shed', 'shed', 'shed:1.3', 'localhost/shed', 'registry.example:5000/shed@sha256:00', 'docker:shed:1.3'],
    ['garden/shed', 'garden/shed', 'registry.example:5000/garden/shed:1.3@sha256:00', 'ghcr.io/garden/shed'],
    ['python', 'python:3', 'library/python:3', 'docker.io/library/python', 'DOCKER.IO/python'],
    ['shed.tar', '/builds/shed.tar', 'docker-archive:out/shed.tar', 'build/shed.tar'],
    ['shed', 'C:\\x\\shed', './out/shed/'],
    ['sha256', 'sha256:0123456789abcdef', 'sha512:fedcba9876543210', '99138c65ebc7', 'e'.repeat(64)],
    ['', '', '@sha256:00'],
  ]) {
    for (const image of images) assert.equal(imageCategory(image), category, image);
  }
});

test('images of two directories of a registry have two categories', () => {
  for (const [one, other] of [
    ['shop/web', 'admin/web'],
    ['registry.example/shop/web:1', 'registry.example/web:1'],
    ['registry.example/library/web', 'registry.example/web'],
  ] as const) {
    assert.notEqual(imageCategory(one), imageCategory(other), `${one} ${other}`);
  }
});

test('an image that was scanned by its id has the first of its tags, else of its digests', () => {
  const tags = ['garden/shed:1', 'fence:1'];
  const digests = [`arbour@sha256:${'0'.repeat(64)}`];
  assert.equal(nameOfImage('sha256:0123456789abcdef', tags, digests), 'fence:1');
  assert.equal(nameOfImage('99138c65ebc7', ['99138c65ebc7:1'], digests), digests[0]);
  assert.equal(nameOfImage('99138c65ebc7', [], []), '99138c65ebc7');
  assert.equal(nameOfImage('garden/shed:2', tags, digests), 'garden/shed:2');
  assert.equal(nameOfImage(null, [], []), null);
});

test('an image that was scanned as an archive has the first of its tags, else the name of the file', () => {
  const tags = ['garden/shed:1', 'ghcr.io/garden/fence:1'];
  const digests = [`arbour@sha256:${'0'.repeat(64)}`];
  for (const archive of [
    'image.tar',
    '/images/image-0a1b2c.tar.gz',
    'docker-archive:out/image',
    'C:\\x\\image.tar',
  ]) {
    assert.equal(nameOfImage(archive, tags, digests), 'garden/shed:1', archive);
    for (const nameless of [[], [''], ['unset-repo/unset-image-name:latest']]) {
      assert.equal(nameOfImage(archive, nameless, digests), archive);
    }
  }
});
