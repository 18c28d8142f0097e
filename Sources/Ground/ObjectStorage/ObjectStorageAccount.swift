internal import Bytes
internal import Glibc

/// Where objects are stored, and the credentials for them.
public struct ObjectStorageAccount: Sendable {
  /// The region that requests are signed for until a bucket says another: `eu-central-1`.
  public let region: String
  /// A server other than Amazon's.
  let endpoint: ObjectStorageEndpoint?
  /// A PEM file with the certificates trusted for servers, instead of the machine's.
  public let authorities: String?
  /// `nil` for requests that are not signed.
  let credentials: CredentialSource?

  /// The variables that are read.
  ///
  /// Source: AWS SDKs and Tools Reference Guide, "Environment variables list". AWS_NO_SIGN_REQUEST, for
  /// objects that anyone may read, is GDAL's.
  public static let variables = [
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN",
    "AWS_NO_SIGN_REQUEST", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_S3",
    "AWS_ENDPOINT_URL", "AWS_IGNORE_CONFIGURED_ENDPOINT_URLS", "AWS_CA_BUNDLE", "AWS_PROFILE",
    "AWS_DEFAULT_PROFILE", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN", "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
    "AWS_EC2_METADATA_DISABLED", "AWS_EC2_METADATA_SERVICE_ENDPOINT",
    "AWS_METADATA_SERVICE_TIMEOUT", "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME", "AWS_ENDPOINT_URL_STS", "HOME",
  ]

  /// The ``variables`` of this process that are set.
  public static var environment: [String: String] {
    var values: [String: String] = [:]
    for name in variables { values[name] = getenv(name).map { String(cString: $0) } }
    return values
  }

  /// The account that the AWS tools would use: by variables, then by the shared files of the profile.
  /// Credentials are looked for when the first request needs them, also at the container's and the instance's
  /// services.
  ///
  /// - Parameter agent: The `User-Agent` for those services.
  /// - Throws: ``ObjectStorageError`` where a setting cannot be used.
  public init(
    environment values: [String: String] = ObjectStorageAccount.environment, agent: String
  ) throws(ObjectStorageError) {
    let environment = AWSEnvironment(values)
    let profiles = try AWSProfiles(environment)
    var address = environment["AWS_ENDPOINT_URL_S3"] ?? environment["AWS_ENDPOINT_URL"]
    address = address ?? profiles["endpoint_url"]
    if environment.isOn("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") { address = nil }
    let authorities = environment["AWS_CA_BUNDLE"] ?? profiles["ca_bundle"]
    var source: CredentialSource?
    if !environment.isOn("AWS_NO_SIGN_REQUEST") {
      let chain = CredentialChain(environment, agent: agent, authorities: authorities)
      source = CredentialSource { () throws(ObjectStorageError) in try chain.find() }
    }
    try self.init(
      source: source,
      region: environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? profiles["region"],
      endpoint: address, authorities: authorities)
  }

  /// - Parameters:
  ///   - credentials: `nil` for requests that are not signed.
  ///   - region: Default: `us-east-1`, which tells the region of every other bucket.
  ///   - endpoint: A server other than Amazon's: `http://127.0.0.1:9000`.
  /// - Throws: ``ObjectStorageError`` where one cannot be used.
  public init(
    credentials: ObjectCredentials?, region: String? = nil, endpoint: String? = nil,
    authorities: String? = nil
  ) throws(ObjectStorageError) {
    if let credentials, !credentials.isPrintable {
      throw ObjectStorageError(
        .configuration, "", "the \(credentials) are empty or have control characters in them")
    }
    try self.init(
      source: credentials.map { fixed in
        CredentialSource { () throws(ObjectStorageError) in fixed }
      }, region: region, endpoint: endpoint, authorities: authorities)
  }

  private init(
    source: CredentialSource?, region: String?, endpoint: String?, authorities: String?
  ) throws(ObjectStorageError) {
    let region = region ?? "us-east-1"
    guard ObjectStorageEndpoint.isRegion(region) else {
      throw ObjectStorageError(
        .configuration, "", "the AWS region \(region.prefix(60)) is not one like eu-central-1")
    }
    self.region = region
    if let endpoint {
      self.endpoint = try ObjectStorageEndpoint(parsing: endpoint)
    } else {
      self.endpoint = nil
    }
    self.authorities = authorities
    credentials = source
  }
}
