/** The licenses of packages, by their names: public facts. */
import { readTable } from './table.ts';

const table = `
MIT | axios body-parser braces cookie cross-spawn decode-uri-component engine.io express fast-xml-parser follow-redirects helmet ip json5 jsonwebtoken loader-utils lodash marked micromatch minimist moment multer nanoid node-fetch path-to-regexp pg postcss react react-dom react-native send serve-static shell-quote socket.io-parser @babel/traverse ua-parser-js word-wrap ws zod
MIT | github.com/gin-gonic/gin github.com/golang-jwt/jwt/v4 github.com/jackc/pgproto3/v2 github.com/jackc/pgx/v4 go.uber.org/zap
MIT | libexpat libexpat1 libnghttp2-14 nghttp2-libs
Apache-2.0 | ejs com.fasterxml.jackson.core:jackson-databind com.google.guava:guava com.squareup.okio:okio commons-fileupload:commons-fileupload commons-io:commons-io
Apache-2.0 | io.micrometer:micrometer-core io.netty:netty-codec-http io.netty:netty-codec-http2 org.apache.activemq:activemq-client org.apache.commons:commons-text org.apache.logging.log4j:log4j-core
Apache-2.0 | org.apache.tomcat.embed:tomcat-embed-core org.flywaydb:flyway-core org.mapstruct:mapstruct org.springframework.boot:spring-boot-autoconfigure org.springframework.security:spring-security-core
Apache-2.0 | org.springframework:spring-beans org.springframework:spring-expression org.springframework:spring-web org.springframework:spring-webmvc org.yaml:snakeyaml
Apache-2.0 | github.com/docker/docker github.com/nats-io/nats-server/v2 github.com/prometheus/client_golang google.golang.org/grpc libcrypto3 libssl3
BSD-2-Clause | nth-check org.postgresql:postgresql
BSD-3-Clause | qs tough-cookie com.thoughtworks.xstream:xstream github.com/google/uuid golang.org/x/crypto golang.org/x/net golang.org/x/text google.golang.org/protobuf libwebp7
ISC | semver
MPL-2.0 OR EPL-1.0 | com.h2database:h2
EPL-1.0 OR LGPL-2.1-only | ch.qos.logback:logback-classic
GPL-2.0-only | alpine-baselayout busybox git
GPL-2.0-or-later | apt
GPL-3.0-or-later | bash coreutils tar
LGPL-2.1-or-later | libc6 libgcrypt20 libgnutls30 libsystemd0
Artistic-1.0-Perl OR GPL-1.0-or-later | perl-base
curl | libcurl libcurl4
Zlib | zlib1g
`;

const licenses = new Map(
  readTable(['license', 'packages'], table).flatMap(({ license, packages }) =>
    packages.split(' ').map((name) => [name, license] as const),
  ),
);

/** Returns null for a package of which the demo does not know the license. */
export function findLicense(name: string): string | null {
  return licenses.get(name) ?? null;
}
