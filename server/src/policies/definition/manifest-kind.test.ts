import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manifestKind } from './manifest-kind.ts';

const own = { group_key: null, uses_grouped_identity: false };

test('a lock file names its manifest in the same directory', () => {
  assert.deepEqual(manifestKind('web/package-lock.json', 'npm'), {
    manifest_type: 'npm',
    language: 'javascript',
    manifest_file: 'web/package.json',
    lock_file: 'web/package-lock.json',
    ...own,
    display_name: 'web/package-lock.json',
  });
  for (const [path, type, kind, language, manifest] of [
    ['yarn.lock', 'npm', 'yarn', 'javascript', 'package.json'],
    ['a/b/pnpm-lock.yaml', 'npm', 'pnpm', 'javascript', 'a/b/package.json'],
    ['gradle.lockfile', 'maven', 'gradle', 'java', 'build.gradle'],
    ['Pipfile.lock', 'pypi', 'pipenv', 'python', 'Pipfile'],
    ['poetry.lock', 'pypi', 'poetry', 'python', 'pyproject.toml'],
    ['uv.lock', 'pypi', 'uv', 'python', 'pyproject.toml'],
    ['tools/go.sum', 'golang', 'gomod', 'go', 'tools/go.mod'],
    ['Cargo.lock', 'cargo', 'cargo', 'rust', 'Cargo.toml'],
    ['Gemfile.lock', 'gem', 'bundler', 'ruby', 'Gemfile'],
    ['composer.lock', 'composer', 'composer', 'php', 'composer.json'],
    ['mix.lock', 'hex', 'mix', 'elixir', 'mix.exs'],
    ['pubspec.lock', 'pub', 'pub', 'dart', 'pubspec.yaml'],
    ['ios/Podfile.lock', 'cocoapods', 'cocoapods', 'swift', 'ios/Podfile'],
    ['Package.resolved', 'swift', 'swift', 'swift', 'Package.swift'],
    // Manifests of these tools can have several names.
    ['packages.lock.json', 'nuget', 'nuget', 'dotnet', null],
    ['conan.lock', 'conan', 'conan', 'cpp', null],
  ] as const) {
    const found = manifestKind(path, type);
    assert.deepEqual(
      [found.manifest_type, found.language, found.manifest_file, found.lock_file],
      [kind, language, manifest, path],
      path,
    );
  }
});

test('a manifest has no lock file', () => {
  for (const [path, type, kind, language] of [
    ['package.json', 'npm', 'npm', 'javascript'],
    ['server/pom.xml', 'maven', 'maven', 'java'],
    ['build.gradle.kts', 'maven', 'gradle', 'java'],
    ['api/requirements.txt', 'pypi', 'pip', 'python'],
    ['requirements-dev.txt', 'pypi', 'pip', 'python'],
    ['go.mod', 'golang', 'gomod', 'go'],
    ['src/Shop.csproj', 'nuget', 'nuget', 'dotnet'],
    ['lib/fence.jar', 'maven', 'maven', 'java'],
    // If the name is unknown, the type of the packages decides.
    ['deps.weird', 'pypi', 'pypi', 'python'],
    ['lib/dpkg/status', 'deb', 'deb', null],
    // A name that only ends with a known name is another name.
    ['my-package.json', 'npm', 'npm', 'javascript'],
    ['constructor', '__proto__', '__proto__', null],
  ] as const) {
    const found = manifestKind(path, type);
    assert.deepEqual(
      [found.manifest_type, found.language, found.manifest_file, found.lock_file, found.display_name],
      [kind, language, path, null, path],
      path,
    );
  }
});

test('images, SBOMs and the root are no files, whatever their name', () => {
  for (const [path, type, language, shown] of [
    ['package-lock.json', 'image', null, 'package-lock.json'],
    ['shop', 'sbom', null, 'shop'],
    ['.', 'pypi', 'python', 'pypi packages'],
  ] as const) {
    assert.deepEqual(manifestKind(path, type), {
      manifest_type: type,
      language,
      manifest_file: null,
      lock_file: null,
      ...own,
      display_name: shown,
    });
  }
});
