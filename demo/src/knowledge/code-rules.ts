/**
 * Rules of Semgrep and CodeQL that the demo uses, with the texts of the tools. Semgrep rates a rule by its level,
 * CodeQL by `security-severity` on the rule. `company/` says where the rules match.
 */
import { readTable } from './table.ts';

export interface SemgrepRule {
  id: string;
  level: string;
  cwe: string;
  message: string;
}

export interface CodeqlRule {
  id: string;
  level: string;
  securitySeverity: string;
  cwe: string;
  name: string;
  message: string;
}

const semgrep = `
javascript.express.security.audit.express-open-redirect.express-open-redirect | warning | CWE-601: URL Redirection to Untrusted Site ('Open Redirect') | The application redirects to a URL specified by user-supplied input that is not validated. This could redirect users to malicious locations. Consider using an allow-list approach to validate URLs.
javascript.express.security.injection.tainted-sql-string.tainted-sql-string | error | CWE-89: Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection') | Detected user input used to manually construct a SQL string. This is usually bad practice because manual construction could accidentally result in a SQL injection.
javascript.lang.security.audit.detect-non-literal-regexp.detect-non-literal-regexp | warning | CWE-1333: Inefficient Regular Expression Complexity | RegExp() called with a function argument, this might allow an attacker to cause a Regular Expression Denial-of-Service (ReDoS) within your application as RegExp() blocks the main thread.
javascript.lang.security.audit.path-traversal.path-join-resolve-traversal.path-join-resolve-traversal | warning | CWE-22: Improper Limitation of a Pathname to a Restricted Directory ('Path Traversal') | Detected possible user input going into a path.join or path.resolve function. This could possibly lead to a path traversal vulnerability.
javascript.browser.security.insecure-document-method.insecure-document-method | error | CWE-79: Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting') | User controlled data in methods like innerHTML, outerHTML or document.write is an anti-pattern that can lead to XSS vulnerabilities.
typescript.react.security.audit.react-dangerouslysetinnerhtml.react-dangerouslysetinnerhtml | warning | CWE-79: Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting') | Detection of dangerouslySetInnerHTML from non-constant definition. This can inadvertently expose users to cross-site scripting (XSS) attacks.
javascript.jsonwebtoken.security.jwt-hardcode.hardcoded-jwt-secret | warning | CWE-798: Use of Hard-coded Credentials | A hard-coded credential was detected. It is not recommended to store credentials in source-code.
javascript.express.security.audit.express-check-csurf-middleware-usage.express-check-csurf-middleware-usage | note | CWE-352: Cross-Site Request Forgery (CSRF) | A CSRF middleware was not detected in your express application. Ensure you are either using one such as csurf and/or you are properly doing CSRF validation in your routes.
javascript.express.security.audit.xss.direct-response-write.direct-response-write | warning | CWE-79: Improper Neutralization of Input During Web Page Generation ('Cross-site Scripting') | Detected directly writing to a Response object from user-defined input. This bypasses any HTML escaping and may expose your application to a Cross-Site-scripting (XSS) vulnerability.
javascript.lang.security.detect-child-process.detect-child-process | error | CWE-78: Improper Neutralization of Special Elements used in an OS Command ('OS Command Injection') | Detected calls to child_process from a function argument. This could lead to a command injection if the input is user controllable.
javascript.lang.security.audit.unsafe-formatstring.unsafe-formatstring | note | CWE-134: Use of Externally-Controlled Format String | Detected string concatenation with a non-literal variable in a util.format / console.log function. If an attacker injects a format specifier in the string, it will forge the log message.
problem-based-packs.insecure-transport.js-node.http-request.http-request | warning | CWE-319: Cleartext Transmission of Sensitive Information | Checks for requests sent to http:// URLs. This is dangerous as the server is attempting to connect to a website that does not encrypt traffic with TLS.
java.lang.security.audit.formatted-sql-string.formatted-sql-string | error | CWE-89: Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection') | Detected a formatted string in a SQL statement. This could lead to SQL injection if variables in the SQL statement are not properly sanitized. Use a prepared statement instead.
java.lang.security.audit.crypto.weak-random.weak-random | warning | CWE-330: Use of Insufficiently Random Values | Detected use of the functions Math.random() or java.util.Random(). These are both not cryptographically strong random number generators. Use java.security.SecureRandom instead.
java.lang.security.audit.crypto.use-of-md5.use-of-md5 | warning | CWE-328: Use of Weak Hash | Detected MD5 hash algorithm which is considered insecure. MD5 is not collision resistant and is therefore not suitable as a cryptographic signature.
java.lang.security.audit.crypto.ecb-cipher.ecb-cipher | warning | CWE-327: Use of a Broken or Risky Cryptographic Algorithm | Cipher in ECB mode is detected. ECB mode produces the same output for the same input each time which allows an attacker to intercept and replay the data.
java.lang.security.audit.object-deserialization.object-deserialization | warning | CWE-502: Deserialization of Untrusted Data | Found object deserialization using ObjectInputStream. Deserializing entire Java objects is dangerous because malicious actors can create Java object streams with unintended consequences.
java.spring.security.injection.tainted-file-path.tainted-file-path | error | CWE-23: Relative Path Traversal | Detected user input controlling a file path. An attacker could control the location of this file, to include going backwards in the directory with '../'.
java.spring.security.audit.spring-unvalidated-redirect.spring-unvalidated-redirect | warning | CWE-601: URL Redirection to Untrusted Site ('Open Redirect') | Application redirects a user to a destination URL specified by a user supplied parameter that is not validated.
java.spring.security.unrestricted-request-mapping.unrestricted-request-mapping | note | CWE-352: Cross-Site Request Forgery (CSRF) | Detected a method annotated with 'RequestMapping' that does not specify the HTTP method. CSRF protections are not enabled for GET, HEAD, TRACE, or OPTIONS.
java.lang.security.audit.xxe.documentbuilderfactory-disallow-doctype-decl-missing.documentbuilderfactory-disallow-doctype-decl-missing | error | CWE-611: Improper Restriction of XML External Entity Reference | DOCTYPE declarations are enabled for this DocumentBuilderFactory. This is vulnerable to XML external entity attacks.
python.lang.security.audit.subprocess-shell-true.subprocess-shell-true | error | CWE-78: Improper Neutralization of Special Elements used in an OS Command ('OS Command Injection') | Found 'subprocess' function with 'shell=True'. This is dangerous because this call will spawn the command using a shell process. Use 'shell=False' instead.
python.sqlalchemy.security.sqlalchemy-execute-raw-query.sqlalchemy-execute-raw-query | error | CWE-89: Improper Neutralization of Special Elements used in an SQL Command ('SQL Injection') | Avoiding SQL string concatenation: untrusted input concatenated with raw SQL query can result in SQL Injection.
python.lang.security.deserialization.pickle.avoid-pickle | warning | CWE-502: Deserialization of Untrusted Data | Avoid using pickle, which is known to lead to code execution vulnerabilities. When unpickling, the serialized data could be manipulated to run arbitrary code.
python.requests.security.disabled-cert-validation.disabled-cert-validation | error | CWE-295: Improper Certificate Validation | Certificate verification has been explicitly disabled. This permits insecure connections to insecure servers. Re-enable certification validation.
python.lang.security.insecure-hash-algorithms.insecure-hash-algorithm-sha1 | warning | CWE-327: Use of a Broken or Risky Cryptographic Algorithm | Detected SHA1 hash algorithm which is considered insecure. SHA1 is not collision resistant and is therefore not suitable as a cryptographic signature.
python.lang.security.audit.eval-detected.eval-detected | warning | CWE-95: Improper Neutralization of Directives in Dynamically Evaluated Code ('Eval Injection') | Detected the use of eval(). eval() can be dangerous if used to evaluate dynamic content.
python.lang.security.audit.logging.logger-credential-leak.python-logger-credential-disclosure | warning | CWE-532: Insertion of Sensitive Information into Log File | Detected a python logger call with a potential hardcoded secret being logged. This may lead to secret credentials being exposed.
python.jinja2.security.audit.missing-autoescape-disabled.missing-autoescape-disabled | warning | CWE-116: Improper Encoding or Escaping of Output | Detected a Jinja2 environment without autoescaping. Jinja2 does not autoescape by default. This is dangerous if you are rendering to a browser.
kotlin.lang.security.use-of-md5.use-of-md5 | warning | CWE-328: Use of Weak Hash | Detected MD5 hash algorithm which is considered insecure. Use SHA256 or SHA3 instead.
kotlin.lang.security.unencrypted-socket.unencrypted-socket | note | CWE-319: Cleartext Transmission of Sensitive Information | This socket is not encrypted. The traffic could be read by an attacker intercepting the network traffic. Use an SSLSocket instead.
java.android.security.exported_activity.exported_activity | warning | CWE-926: Improper Export of Android Application Components | The application exports an activity. Any application on the device can launch the exported activity which may compromise the integrity of your application or its data.
`;

const codeql = `
js/sql-injection | error | 8.8 | 089 | Database query built from user-controlled sources | This query string depends on a user-provided value.
js/reflected-xss | error | 7.8 | 079 | Reflected cross-site scripting | Cross-site scripting vulnerability due to a user-provided value.
js/request-forgery | error | 9.1 | 918 | Server-side request forgery | The URL of this request depends on a user-provided value.
js/path-injection | error | 7.5 | 022 | Uncontrolled data used in path expression | This path depends on a user-provided value.
js/missing-rate-limiting | warning | 7.5 | 770 | Missing rate limiting | This route handler performs a database access, but is not rate-limited.
js/clear-text-logging | error | 7.5 | 312 | Clear-text logging of sensitive information | This logs sensitive data returned by an access to a password field as clear text.
js/incomplete-sanitization | warning | 7.8 | 116 | Incomplete string escaping or encoding | This replaces only the first occurrence of the pattern.
js/insecure-randomness | warning | 7.8 | 338 | Insecure randomness | This uses a cryptographically insecure random number in a security context.
js/polynomial-redos | warning | 7.5 | 1333 | Polynomial regular expression used on uncontrolled data | This regular expression that depends on a user-provided value may run slow on strings with many repetitions.
js/server-side-unvalidated-url-redirection | warning | 6.1 | 601 | Server-side URL redirect | Untrusted URL redirection depends on a user-provided value.
js/stack-trace-exposure | warning | 5.4 | 209 | Information exposure through a stack trace | This information exposed to the user depends on stack trace information.
java/sql-injection | error | 8.8 | 089 | Query built from user-controlled sources | This query depends on a user-provided value.
java/path-injection | error | 7.5 | 022 | Uncontrolled data used in path expression | This path depends on a user-provided value.
java/xxe | error | 9.1 | 611 | Resolving XML external entity in user-controlled data | XML parsing depends on a user-provided value without guarding against external entity expansion.
java/unsafe-deserialization | error | 9.8 | 502 | Deserialization of user-controlled data | Unsafe deserialization depends on a user-provided value.
java/log-injection | error | 7.8 | 117 | Log Injection | This log entry depends on a user-provided value.
java/ssrf | error | 9.1 | 918 | Server-side request forgery | Potential server-side request forgery due to a user-provided value.
java/spring-disabled-csrf-protection | error | 8.8 | 352 | Disabled Spring CSRF protection | CSRF vulnerability due to protection being disabled.
java/weak-cryptographic-algorithm | warning | 7.5 | 327 | Use of a broken or risky cryptographic algorithm | Cryptographic algorithm is weak and should not be used.
java/stack-trace-exposure | error | 5.4 | 209 | Information exposure through a stack trace | Error information can be exposed to an external user.
java/unvalidated-url-redirection | error | 6.1 | 601 | URL redirection from remote source | Untrusted URL redirection depends on a user-provided value.
go/sql-injection | error | 8.8 | 089 | Database query built from user-controlled sources | This query depends on a user-provided value.
go/request-forgery | error | 9.1 | 918 | Uncontrolled data used in network request | The URL of this request depends on a user-provided value.
go/log-injection | error | 7.8 | 117 | Log entries created from user input | This log entry depends on a user-provided value.
go/path-injection | error | 7.5 | 022 | Uncontrolled data used in path expression | This path depends on a user-provided value.
go/disabled-certificate-check | warning | 7.5 | 295 | Disabled TLS certificate check | InsecureSkipVerify should not be used in production code.
go/incorrect-integer-conversion | warning | 8.1 | 681 | Incorrect conversion between integer types | Incorrect conversion of an integer with architecture-dependent bit size to a lower bit size type without an upper bound check.
go/clear-text-logging | error | 7.5 | 312 | Clear-text logging of sensitive information | Sensitive data flows to a logging call.
go/insecure-hostkeycallback | warning | 8.2 | 322 | Use of insecure HostKeyCallback implementation | Configuring SSH ClientConfig with insecure HostKeyCallback implementation.
go/unhandled-writable-file-close | warning | 3.1 | 252 | Writable file handle closed without error handling | File handle may be writable as a result of data flow and closing it may result in data loss upon failure, which is not handled explicitly.
`;

const semgrepRules = new Map(
  readTable(['id', 'level', 'cwe', 'message'], semgrep).map((rule) => [shortName(rule.id), rule]),
);

const codeqlRules = new Map(
  readTable(['id', 'level', 'securitySeverity', 'cwe', 'name', 'message'], codeql).map((rule) => [
    rule.id,
    rule,
  ]),
);

/** A Semgrep rule by the last part of its id; undefined if no table has it. */
export function findSemgrepRule(name: string): SemgrepRule | undefined {
  return semgrepRules.get(name);
}

/** A CodeQL query by its id; undefined if no table has it. */
export function findCodeqlRule(id: string): CodeqlRule | undefined {
  return codeqlRules.get(id);
}

function shortName(id: string): string {
  return id.slice(id.lastIndexOf('.') + 1);
}
