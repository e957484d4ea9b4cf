/**
 * The container images of all services: Debian for Node.js, Alpine for Java.
 *
 * Its story: both images are old, and are rebuilt in the middle. The distributions have no fix for some
 * vulnerabilities.
 */
import type { Repository } from './repository.ts';

export const baseImages: Repository = {
  name: 'kestrel-platform/base-images',
  schedule: { 'trivy-image': 1, trivy: 4 },
  manifests: [],
  images: [
    {
      name: 'registry.kestrel.example/base/node',
      distribution: 'debian',
      release: '12.5',
      packages: {
        libssl3: { 0: '3.0.9-1', 4: '3.0.13-1~deb12u1', 7: '3.0.15-1~deb12u1' },
        libc6: { 0: '2.36-9', 4: '2.36-9+deb12u4', 7: '2.36-9+deb12u8' },
        libcurl4: { 0: '7.88.1-10', 4: '7.88.1-10+deb12u5' },
        'libnghttp2-14': { 0: '1.52.0-1', 4: '1.52.0-1+deb12u1' },
        zlib1g: '1:1.2.13.dfsg-1',
        libexpat1: { 0: '2.5.0-1', 7: '2.5.0-1+deb12u1' },
        libgnutls30: { 0: '3.7.9-2', 4: '3.7.9-2+deb12u2' },
        'libkrb5-3': '1.20.1-2',
        libsystemd0: { 0: '252.12-1~deb12u1', 4: '252.22-1~deb12u1' },
        'perl-base': { 0: '5.36.0-7', 4: '5.36.0-7+deb12u1' },
        libwebp7: { 0: '1.2.4-0.2', 4: '1.2.4-0.2+deb12u1' },
        'libsqlite3-0': '3.40.1-2',
        git: { 0: '1:2.39.2-1.1', 7: '1:2.39.5-0+deb12u1' },
        'openssh-client': { 0: '1:9.2p1-2', 4: '1:9.2p1-2+deb12u2' },
        'libldap-2.5-0': '2.5.13+dfsg-5',
        libgcrypt20: '1.10.1-3',
        coreutils: '9.1-1',
        tar: '1.34+dfsg-1.2',
        apt: '2.6.1',
        bash: '5.2.15-2+b2',
      },
    },
    {
      name: 'registry.kestrel.example/base/java',
      distribution: 'alpine',
      release: '3.18.2',
      packages: {
        libcrypto3: { 0: '3.1.1-r1', 3: '3.1.4-r1', 6: '3.1.4-r5' },
        busybox: { 0: '1.36.1-r0', 3: '1.36.1-r5' },
        libcurl: { 0: '8.1.2-r0', 3: '8.4.0-r0' },
        'nghttp2-libs': { 0: '1.53.0-r0', 3: '1.57.0-r0' },
        libexpat: { 0: '2.5.0-r1', 6: '2.6.2-r0' },
        'alpine-baselayout': '3.4.3-r1',
      },
    },
  ],
  code: '',
  misconfigurations: `
DS002 | node/Dockerfile:1-21 | 0- | node/Dockerfile | FROM debian:12.5-slim
DS029 | node/Dockerfile:6-9 | 0-3 | node/Dockerfile | RUN apt-get update && apt-get install -y curl git openssh-client
DS013 | node/Dockerfile:14-14 | 0- | node/Dockerfile | RUN cd /opt/node && ./install.sh
DS026 | java/Dockerfile:1-12 | 0- | java/Dockerfile | FROM alpine:3.18
DS001 | tools/toolbox/Dockerfile:1-1 | 2- | tools/toolbox/Dockerfile | FROM ubuntu:latest
`,
  secrets: '',
  licenses: '',
  branches: [],
};
