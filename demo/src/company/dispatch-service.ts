/**
 * The service that plans trucks and drivers: Java, Maven, Spring.
 *
 * Its story: Log4Shell and Spring4Shell are fixed on the default branch while the release branch still has both. The
 * customs feature adds XStream and ActiveMQ first on its branch, then by a merge.
 */
import type { Repository } from './repository.ts';

export const dispatchService: Repository = {
  name: 'kestrel-freight/dispatch-service',
  schedule: { trivy: 1, semgrep: 2, codeql: 1 },
  codeqlLanguage: 'java-kotlin',
  manifests: [
    {
      path: 'pom.xml',
      ecosystem: 'pom',
      packages: {
        'org.apache.logging.log4j:log4j-core': { 0: '2.14.1', 1: '2.15.0', 2: '2.17.1' },
        'org.springframework:spring-beans': { 0: '5.3.16', 4: '5.3.27' },
        'org.springframework:spring-expression': { 0: '5.3.16', 4: '5.3.27' },
        'org.springframework:spring-web': { 0: '5.3.16', 4: '5.3.27' },
        'org.springframework:spring-webmvc': { 0: '5.3.16', 4: '5.3.27' },
        'org.springframework.boot:spring-boot-autoconfigure': { 0: '2.6.6', 4: '2.7.12' },
        'org.springframework.security:spring-security-core': { 0: '5.6.2', 5: '5.7.11' },
        'com.fasterxml.jackson.core:jackson-databind': {
          0: '2.13.1',
          3: '2.13.4.2',
          6: '2.13.1',
          8: '2.15.2',
        },
        'org.yaml:snakeyaml': { 0: '1.29', 4: '1.33' },
        'org.apache.tomcat.embed:tomcat-embed-core': { 0: '9.0.60', 4: '9.0.83' },
        'org.postgresql:postgresql': { 0: '42.3.1', 2: '42.3.8' },
        'ch.qos.logback:logback-classic': '1.2.11',
        'commons-io:commons-io': { 0: '2.6', 6: '2.15.1' },
        'commons-fileupload:commons-fileupload': { 3: '1.4' },
        'org.apache.commons:commons-text': { 0: '1.9', 1: '1.10.0' },
        'com.google.guava:guava': '30.1-jre',
        'com.h2database:h2': { 0: '1.4.200', 7: '2.2.224' },
        'io.netty:netty-codec-http': '4.1.94.Final',
        'io.netty:netty-codec-http2': '4.1.94.Final',
        'com.squareup.okio:okio': { 1: '2.8.0' },
        'com.thoughtworks.xstream:xstream': { 6: '1.4.17' },
        'org.apache.activemq:activemq-client': { 6: '5.16.6', 8: '5.16.7' },
        'org.mapstruct:mapstruct': '1.5.5.Final',
        'org.flywaydb:flyway-core': '8.5.13',
        'io.micrometer:micrometer-core': '1.9.17',
      },
    },
  ],
  code: `
formatted-sql-string | src/main/java/com/kestrel/dispatch/route/RouteRepository.java:63 | 0- | ResultSet rows = statement.executeQuery("SELECT * FROM route WHERE region = '" + region + "'");
formatted-sql-string | src/main/java/com/kestrel/dispatch/driver/DriverRepository.java:88 | 0-3 | statement.executeUpdate("UPDATE driver SET depot = " + depot + " WHERE id = " + id);
weak-random | src/main/java/com/kestrel/dispatch/driver/PinGenerator.java:21 | 0- | int pin = new Random().nextInt(9999);
weak-random | src/main/java/com/kestrel/dispatch/load/LoadShuffler.java:34 | 0- | Collections.shuffle(loads, new Random());
use-of-md5 | src/main/java/com/kestrel/dispatch/document/Checksum.java:17 | 0- | MessageDigest digest = MessageDigest.getInstance("MD5");
ecb-cipher | src/main/java/com/kestrel/dispatch/document/DocumentCipher.java:42 | 0-4 | Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
object-deserialization | src/main/java/com/kestrel/dispatch/legacy/LegacyPlanReader.java:55 | 0- | ObjectInputStream in = new ObjectInputStream(request.getInputStream());
tainted-file-path | src/main/java/com/kestrel/dispatch/document/DocumentController.java:74 | 0-2,6- | File file = new File(storage, name);
tainted-file-path | src/main/java/com/kestrel/dispatch/customs/CustomsController.java:49 | 6-,feature/customs | Path declaration = Paths.get(inbox + "/" + number + ".xml");
spring-unvalidated-redirect | src/main/java/com/kestrel/dispatch/web/LoginController.java:37 | 0- | return "redirect:" + target;
unrestricted-request-mapping | src/main/java/com/kestrel/dispatch/web/StatusController.java:19 | 0- | @RequestMapping("/status")
unrestricted-request-mapping | src/main/java/com/kestrel/dispatch/web/DepotController.java:26 | 2- | @RequestMapping("/depots")
documentbuilderfactory-disallow-doctype-decl-missing | src/main/java/com/kestrel/dispatch/edi/EdiParser.java:31 | 0-5 | DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
documentbuilderfactory-disallow-doctype-decl-missing | src/main/java/com/kestrel/dispatch/customs/DeclarationParser.java:28 | 6-,feature/customs | DocumentBuilder builder = DocumentBuilderFactory.newInstance().newDocumentBuilder();
java/sql-injection | src/main/java/com/kestrel/dispatch/route/RouteRepository.java:63 | 0- | ResultSet rows = statement.executeQuery("SELECT * FROM route WHERE region = '" + region + "'");
java/sql-injection | src/main/java/com/kestrel/dispatch/driver/DriverRepository.java:88 | 0-3 | statement.executeUpdate("UPDATE driver SET depot = " + depot + " WHERE id = " + id);
java/path-injection | src/main/java/com/kestrel/dispatch/document/DocumentController.java:74 | 0-2,6- | File file = new File(storage, name);
java/xxe | src/main/java/com/kestrel/dispatch/edi/EdiParser.java:36 | 0-5 | Document document = builder.parse(request.getInputStream());
java/xxe | src/main/java/com/kestrel/dispatch/customs/DeclarationParser.java:33 | 6-,feature/customs | Document declaration = builder.parse(upload.getInputStream());
java/unsafe-deserialization | src/main/java/com/kestrel/dispatch/legacy/LegacyPlanReader.java:57 | 0- | Plan plan = (Plan) in.readObject();
java/log-injection | src/main/java/com/kestrel/dispatch/web/LoginController.java:29 | 0- | log.info("login of " + name);
java/log-injection | src/main/java/com/kestrel/dispatch/driver/DriverController.java:44 | 0- | log.warn("no driver " + id);
java/log-injection | src/main/java/com/kestrel/dispatch/route/RouteController.java:52 | 1-6 | log.debug("route of " + region);
java/ssrf | src/main/java/com/kestrel/dispatch/telematics/TelematicsClient.java:41 | 0- | return http.getForObject(url, Position.class);
java/spring-disabled-csrf-protection | src/main/java/com/kestrel/dispatch/web/SecurityConfig.java:33 | 0- | http.csrf().disable();
java/weak-cryptographic-algorithm | src/main/java/com/kestrel/dispatch/document/DocumentCipher.java:42 | 0-4 | Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
java/stack-trace-exposure | src/main/java/com/kestrel/dispatch/web/ErrorController.java:24 | 0- | error.printStackTrace(response.getWriter());
java/unvalidated-url-redirection | src/main/java/com/kestrel/dispatch/web/LoginController.java:37 | 0- | return "redirect:" + target;
`,
  misconfigurations: `
DS002 | Dockerfile:1-18 | 0- | Dockerfile | FROM registry.kestrel.example/base/java:17
DS005 | Dockerfile:9-9 | 0-4 | Dockerfile | ADD target/dispatch.jar /app/dispatch.jar
KSV001 | deploy/dispatch.yaml:18-40 | 0- | dispatch | - name: dispatch
KSV014 | deploy/dispatch.yaml:18-40 | 0-6 | dispatch | - name: dispatch
`,
  secrets: `
private-key | src/test/resources/edi-partner.pem:1 | 0-5 | «*»
generic | src/main/resources/application-dev.yaml:14 | 0- | telematics-api-key: «kestrel-dummy-telematics-key»
github | ci/settings.xml:12 | 0-1 | <password>«*»</password>
`,
  licenses: `
com.itextpdf:itextpdf | AGPL-3.0 | forbidden | CRITICAL | pom.xml | 0-
mysql:mysql-connector-java | GPL-2.0 | restricted | HIGH | pom.xml | 0-3
`,
  branches: [
    {
      ref: 'release/4.2',
      refType: 'branch',
      cut: 0,
      scanned: [1, 4, 7],
      daysLater: 3,
      tools: ['trivy'],
    },
    {
      ref: 'feature/customs',
      refType: 'branch',
      cut: 4,
      scanned: [4, 5],
      daysLater: 2,
      tools: ['trivy', 'semgrep'],
      packages: {
        'pom.xml': {
          'com.thoughtworks.xstream:xstream': '1.4.17',
          'org.apache.activemq:activemq-client': '5.16.6',
        },
      },
    },
  ],
  renames: [
    {
      week: 5,
      from: 'src/main/java/com/kestrel/dispatch/legacy/LegacyPlanReader.java',
      to: 'src/main/java/com/kestrel/dispatch/plan/PlanImporter.java',
    },
  ],
};
