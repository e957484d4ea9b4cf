/**
 * Trivy's checks of Terraform, Kubernetes and Dockerfiles that the demo uses: id, severity, service, title, and advice.
 * `company/` says where they fail.
 */
import type { TrivySeverity } from './advisories.ts';
import { readTable } from './table.ts';

export interface MisconfigurationCheck {
  /** The id as Trivy writes it: AVD-AWS-0086, KSV014, DS002. */
  id: string;
  severity: TrivySeverity;
  service: string;
  title: string;
  resolution: string;
}

const table = `
AVD-AWS-0014 | MEDIUM | cloudtrail | Cloudtrail should be enabled in all regions regardless of where your AWS resources are generally homed | Enable Cloudtrail in all regions
AVD-AWS-0016 | HIGH | cloudtrail | Cloudtrail log validation should be enabled to prevent tampering of log data | Turn on log validation for Cloudtrail
AVD-AWS-0017 | LOW | cloudwatch | CloudWatch log groups should be encrypted using CMK | Enable CMK encryption of CloudWatch Log Groups
AVD-AWS-0028 | HIGH | ec2 | aws_instance should activate session tokens for Instance Metadata Service | Enable HTTP token requirement for IMDS
AVD-AWS-0030 | HIGH | ecr | ECR repository has image scans disabled | Enable ECR image scanning
AVD-AWS-0031 | HIGH | ecr | ECR images tags shouldn't be mutable | Only use immutable images in ECR
AVD-AWS-0033 | LOW | ecr | ECR Repository should use customer managed keys to allow more control | Use customer managed keys to encrypt ECR repositories
AVD-AWS-0038 | MEDIUM | eks | EKS Clusters should have cluster control plane logging turned on | Enable logging for the EKS control plane
AVD-AWS-0039 | HIGH | eks | EKS should have the encryption of secrets enabled | Enable encryption of EKS secrets
AVD-AWS-0040 | CRITICAL | eks | EKS Clusters should have the public access disabled | Don't enable public access to EKS Clusters
AVD-AWS-0041 | CRITICAL | eks | EKS cluster should not have open CIDR range for public access | Don't enable public access to EKS Clusters
AVD-AWS-0052 | HIGH | elb | Load balancers should drop invalid headers | Set drop_invalid_header_fields to true
AVD-AWS-0053 | HIGH | elb | Load balancer is exposed to the internet | Switch to an internal load balancer or add a tfsec ignore
AVD-AWS-0054 | CRITICAL | elb | Use of plain HTTP | Switch to HTTPS to benefit from TLS security features
AVD-AWS-0057 | HIGH | iam | IAM policy should avoid use of wildcards and instead apply the principle of least privilege | Specify the exact permissions required, and to which resources they should apply instead of using wildcards
AVD-AWS-0065 | MEDIUM | kms | A KMS key is not configured to auto-rotate | Configure KMS key to auto rotate
AVD-AWS-0077 | MEDIUM | rds | RDS Cluster and RDS instance should have backup retention longer than default 1 day | Explicitly set the retention period to greater than the default
AVD-AWS-0080 | HIGH | rds | RDS encryption has not been enabled at a DB Instance level | Enable encryption for RDS instances
AVD-AWS-0086 | HIGH | s3 | S3 Access block should block public ACL | Enable blocking any PUT calls with a public ACL specified
AVD-AWS-0088 | HIGH | s3 | Unencrypted S3 bucket | Configure bucket encryption
AVD-AWS-0089 | LOW | s3 | S3 Bucket Logging | Add a logging block to the resource to enable access logging
AVD-AWS-0090 | MEDIUM | s3 | S3 Data should be versioned | Enable versioning to protect against accidental/malicious removal or modification
AVD-AWS-0095 | HIGH | sns | Unencrypted SNS topic | Turn on SNS Topic encryption
AVD-AWS-0096 | HIGH | sqs | Unencrypted SQS queue | Turn on SQS Queue encryption
AVD-AWS-0104 | CRITICAL | ec2 | An egress security group rule allows traffic to /0 | Set a more restrictive cidr range
AVD-AWS-0107 | CRITICAL | ec2 | An ingress security group rule allows traffic from /0 | Set a more restrictive cidr range
AVD-AWS-0124 | LOW | ec2 | Missing description for security group rule | Add descriptions for all security groups rules
AVD-AWS-0131 | HIGH | ec2 | Instance with unencrypted block device | Turn on encryption for all block devices
AVD-AWS-0176 | MEDIUM | rds | RDS IAM Database Authentication Disabled | Modify the PostgreSQL and MySQL type RDS instances to enable IAM database authentication
AVD-AWS-0177 | MEDIUM | rds | RDS Deletion Protection Disabled | Modify the RDS instances to enable deletion protection
AVD-AWS-0178 | MEDIUM | ec2 | VPC Flow Logs is not enabled | Enable flow logs for VPC
AVD-AWS-0180 | HIGH | rds | RDS Publicly Accessible | Remove the public endpoint from the RDS instance
KSV001 | MEDIUM | general | Can elevate its own privileges | Set 'set containers[].securityContext.allowPrivilegeEscalation' to 'false'
KSV003 | LOW | general | Default capabilities: some containers do not drop all | Add 'ALL' to containers[].securityContext.capabilities.drop
KSV011 | LOW | general | CPU not limited | Set a limit value under 'containers[].resources.limits.cpu'
KSV012 | MEDIUM | general | Runs as root user | Set 'containers[].securityContext.runAsNonRoot' to true
KSV013 | MEDIUM | general | Image tag ":latest" used | Use a specific container image tag that is not 'latest'
KSV014 | HIGH | general | Root file system is not read-only | Change 'containers[].securityContext.readOnlyRootFilesystem' to 'true'
KSV017 | HIGH | general | Privileged | Change 'containers[].securityContext.privileged' to 'false'
KSV018 | LOW | general | Memory not limited | Set a limit value under 'containers[].resources.limits.memory'
KSV104 | MEDIUM | general | Seccomp policies disabled | Specify seccomp either by annotation or by seccomp profile type having allowed values as per pod security standards
DS001 | MEDIUM | general | ':latest' tag used | Add a tag to the image in the 'FROM' statement
DS002 | HIGH | general | Image user should not be 'root' | Add 'USER <non root user name>' line to the Dockerfile
DS005 | LOW | general | ADD instead of COPY | Use COPY instead of ADD
DS013 | MEDIUM | general | 'RUN cd ...' to change directory | Use WORKDIR to change directory
DS017 | HIGH | general | 'RUN <package-manager> update' instruction alone | Combine '<package-manager> update' and '<package-manager> install' instructions to single one
DS026 | LOW | general | No HEALTHCHECK defined | Add HEALTHCHECK instruction in Dockerfile
DS029 | HIGH | general | 'apt-get' missing '--no-install-recommends' | Add '--no-install-recommends' flag to 'apt-get'
`;

const checks = new Map(
  readTable(['id', 'severity', 'service', 'title', 'resolution'], table).map((row) => [
    row.id,
    { ...row, severity: row.severity as TrivySeverity } satisfies MisconfigurationCheck,
  ]),
);

/** The check with this id. An unknown id is a mistake in the demo. */
export function getMisconfigurationCheck(id: string): MisconfigurationCheck {
  const check = checks.get(id);
  if (check === undefined) throw new Error(`no such check: ${id}`);
  return check;
}
