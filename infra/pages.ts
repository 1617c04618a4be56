/** How the pages reach people on AWS: CloudFront in front of the API, with the files that never change from S3. */

import { CfnOutput, Duration } from "aws-cdk-lib";
import { Certificate } from "aws-cdk-lib/aws-certificatemanager";
import {
  AllowedMethods,
  type BehaviorOptions,
  CacheHeaderBehavior,
  CachePolicy,
  Distribution,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  ResponseHeadersPolicy,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from "aws-cdk-lib/aws-cloudfront";
import { HttpOrigin, S3BucketOrigin } from "aws-cdk-lib/aws-cloudfront-origins";
import { BlockPublicAccess, Bucket, type IBucket } from "aws-cdk-lib/aws-s3";
import { BucketDeployment, CacheControl, Source } from "aws-cdk-lib/aws-s3-deployment";
import { Construct } from "constructs";

/** Where a lottery or a burst is watched by everybody: one answer serves all who ask within the second. */
const WATCHED_BY_ALL = "/api/events/*/entry";
const ASSETS = "/assets/*";
const DEPLOY_MEMORY_MB = 512;

export type PagesProps = {
  /** The function URL or API Gateway in front of `src/apps/lambda/api.ts`, without a scheme. */
  apiDomain: string;
  /** What `scripts/build-web.mjs` made. */
  builtFolder: string;
  /** The address people use; without it, CloudFront's own. */
  domain?: { name: string; certificateArn: string };
};

export class Pages extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, id: string, { apiDomain, builtFolder, domain }: PagesProps) {
    super(scope, id);
    // CDK's own types of buckets disagree when undefined is told from absent.
    const files = new Bucket(this, "Files", {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      enforceSSL: true,
    }) as IBucket;
    const api = new HttpOrigin(apiDomain, { protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY });
    this.distribution = new Distribution(this, "Distribution", {
      comment: "SnapRace",
      httpVersion: HttpVersion.HTTP2_AND_3,
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      defaultBehavior: wholeProgram(api),
      additionalBehaviors: {
        [ASSETS]: foreverFiles(S3BucketOrigin.withOriginAccessControl(files)),
        [WATCHED_BY_ALL]: keptForASecond(this, api),
      },
      ...(domain && {
        domainNames: [domain.name],
        certificate: Certificate.fromCertificateArn(this, "Certificate", domain.certificateArn),
      }),
    });
    new BucketDeployment(this, "Deployment", {
      destinationBucket: files,
      sources: [Source.asset(builtFolder, { exclude: ["index.html", ".built-from"] })],
      cacheControl: [CacheControl.fromString("public, max-age=31536000, immutable")],
      memoryLimit: DEPLOY_MEMORY_MB,
      // A page that was opened before a deployment still loads the parts it knows.
      prune: false,
    });
    new CfnOutput(this, "Url", { value: `https://${domain?.name ?? this.distribution.distributionDomainName}` });
  }
}

/** Documents and the API: their heads and answers are each caller's own, and say themselves how long they keep. */
function wholeProgram(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    allowedMethods: AllowedMethods.ALLOW_ALL,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    // The origin's own host leads to it; ours would not.
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    compress: true,
  };
}

function foreverFiles(origin: IOrigin): BehaviorOptions {
  return {
    origin,
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    compress: true,
  };
}

/** The answer is the same for everybody, and must be: no cookie and no token reaches what makes it. */
function keptForASecond(scope: Construct, origin: IOrigin): BehaviorOptions {
  const cachePolicy = new CachePolicy(scope, "ForASecond", {
    minTtl: Duration.seconds(0),
    defaultTtl: Duration.seconds(0),
    maxTtl: Duration.seconds(1),
    // Other sites that may ask get it in their own name.
    headerBehavior: CacheHeaderBehavior.allowList("Origin"),
    enableAcceptEncodingGzip: true,
    enableAcceptEncodingBrotli: true,
  });
  return { origin, viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS, cachePolicy, compress: true };
}
