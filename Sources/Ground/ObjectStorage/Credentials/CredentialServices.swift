internal import Bytes
internal import Files
internal import HTTPClient
internal import Identifiers
internal import JSON
internal import XML

/// Services that give credentials to the machine, container or cluster on which this runs.
struct CredentialServices: Sendable {
  private let environment: AWSEnvironment
  private let web: WebSenderPool

  init(_ environment: AWSEnvironment, web: WebSenderPool) {
    self.environment = environment
    self.web = web
  }

  // MARK: Web identities

  /// Credentials of a role, for a token of the cluster: that of EKS and others.
  ///
  /// Source: AWS Security Token Service API Reference, AssumeRoleWithWebIdentity; AWS SDKs and Tools
  /// Reference Guide, "Assume role credential provider".
  func byWebIdentity() throws(ObjectStorageError) -> ObjectCredentials? {
    guard let path = environment["AWS_WEB_IDENTITY_TOKEN_FILE"],
      let role = environment["AWS_ROLE_ARN"]
    else { return nil }
    let token = try Self.token(in: path)
    let region = environment["AWS_REGION"] ?? environment["AWS_DEFAULT_REGION"] ?? "us-east-1"
    guard ObjectStorageEndpoint.isRegion(region) else { return nil }
    let server =
      try environment["AWS_ENDPOINT_URL_STS"].map { text throws(ObjectStorageError) in
        try ObjectStorageEndpoint(parsing: text)
      } ?? .amazon(region: region, service: "sts")
    let form = RequestSigner.canonicalQuery([
      ("Action", "AssumeRoleWithWebIdentity"), ("Version", "2011-06-15"), ("RoleArn", role),
      ("RoleSessionName", environment["AWS_ROLE_SESSION_NAME"] ?? "mayday"),
      ("WebIdentityToken", token),
    ])
    var options = WebTransferOptions()
    options.whole = 30
    do throws(WebError) {
      let body = try ask(
        WebRequest(
          "POST", "\(server.origin)\(server.base)/",
          headers: ["Content-Type: application/x-www-form-urlencoded"],
          body: ByteView(form.utf8)), options)
      let keys = (try? ServiceDocuments.root(body.array))?.descendant("Credentials")
      guard let keys, let id = keys.first("AccessKeyId")?.text,
        let secret = keys.first("SecretAccessKey")?.text
      else { throw WebError("the answer has no AccessKeyId and SecretAccessKey") }
      return ObjectCredentials(
        id, secret, keys.first("SessionToken")?.text,
        expiry: keys.first("Expiration").flatMap { Timestamp($0.text) }, source: "the role \(role)")
    } catch {
      throw ObjectStorageError(
        .notAllowed, "", "no credentials of the role \(role): \(error)",
        advice: "check AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE")
    }
  }

  // MARK: Containers

  /// Source: AWS SDKs and Tools Reference Guide, "Container credential provider".
  func inContainer() throws(ObjectStorageError) -> ObjectCredentials? {
    let url: String
    if let path = environment["AWS_CONTAINER_CREDENTIALS_RELATIVE_URI"] {
      guard path.hasPrefix("/") else {
        throw ObjectStorageError(
          .configuration, "", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI does not begin with /")
      }
      url = "http://169.254.170.2" + path
    } else if let full = environment["AWS_CONTAINER_CREDENTIALS_FULL_URI"] {
      guard Self.isTrusted(full) else {
        throw ObjectStorageError(
          .configuration, "",
          "AWS_CONTAINER_CREDENTIALS_FULL_URI is neither https: nor on this machine")
      }
      url = full
    } else {
      return nil
    }
    var headers = ["Accept: application/json"]
    if let token = try containerToken() { headers.append("Authorization: \(token)") }
    var options = WebTransferOptions()
    options.whole = 5
    options.usesProxy = false
    do throws(WebError) {
      let body = try ask(WebRequest("GET", url, headers: headers), options)
      return try Self.credentials(in: body, source: "the container")
    } catch {
      throw ObjectStorageError(
        .unreachable, "", "no credentials from the container's service: \(error)")
    }
  }

  private func containerToken() throws(ObjectStorageError) -> String? {
    var token = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN"]
    if let path = environment["AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE"] {
      token = try Self.token(in: path)
    }
    guard let token else { return nil }
    guard token.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw ObjectStorageError(
        .configuration, "", "the container's authorization token has control characters in it")
    }
    return token
  }

  /// The line in a file that is replaced now and then, so that it is read each time.
  private static func token(in path: String) throws(ObjectStorageError) -> String {
    do throws(FileError) {
      let bytes = try ByteView(reading: path, limit: 1 << 16)
      var token = String(decoding: bytes.array, as: UTF8.self)
      while token.last?.isNewline == true { token.removeLast() }
      return token
    } catch {
      throw ObjectStorageError(.local, "", error.description)
    }
  }

  /// Plain HTTP only where the token stays on the machine or its links to ECS and EKS.
  static func isTrusted(_ url: String) -> Bool {
    guard let endpoint = try? ObjectStorageEndpoint(parsing: url, allowsQuery: true) else {
      return false
    }
    if endpoint.isSecure { return true }
    let hosts = ["localhost", "[::1]", "169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"]
    if hosts.contains(endpoint.host) { return true }
    let parts = endpoint.host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  // MARK: Instances

  /// Source: Amazon EC2 User Guide, "Use the Instance Metadata Service to access instance metadata": a token
  /// by PUT, then the role's name, then its credentials.
  func onInstance() -> Result<ObjectCredentials, ObjectStorageError> {
    func failed(_ reason: String) -> Result<ObjectCredentials, ObjectStorageError> {
      .failure(ObjectStorageError(.unreachable, "", reason))
    }
    var base = environment["AWS_EC2_METADATA_SERVICE_ENDPOINT"] ?? "http://169.254.169.254"
    while base.hasSuffix("/") { base.removeLast() }
    var options = WebTransferOptions()
    options.whole =
      environment["AWS_METADATA_SERVICE_TIMEOUT"]
      .flatMap { Int($0) }.map { min(max($0, 1), 60) } ?? 1
    options.usesProxy = false
    let role = "\(base)/latest/meta-data/iam/security-credentials/"
    do throws(WebError) {
      let token = try ask(
        WebRequest(
          "PUT", "\(base)/latest/api/token",
          headers: ["X-aws-ec2-metadata-token-ttl-seconds: 21600"], body: .empty), options)
      let header = ["X-aws-ec2-metadata-token: \(try Self.line(token))"]
      let name = try Self.line(try ask(WebRequest("GET", role, headers: header), options))
      let url = role + PercentEncoding.encoded(name)
      let body = try ask(WebRequest("GET", url, headers: header), options)
      return .success(try Self.credentials(in: body, source: "the EC2 role \(name)"))
    } catch {
      return failed(error.description)
    }
  }

  // MARK: Answers

  private static func line(_ body: ByteView) throws(WebError) -> String {
    let text = String(decoding: body.array, as: UTF8.self).prefix { !$0.isNewline }
    guard (1...4096).contains(text.utf8.count),
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw WebError("the service gave no name or token") }
    return String(text)
  }

  private func ask(
    _ request: WebRequest, _ options: WebTransferOptions
  ) throws(WebError) -> ByteView {
    let sink = AnswerSink(document: 64 << 10)
    let head = try web.transfer(request, to: sink, options)
    guard head.status == 200 else { throw WebError("it answered \(head.status)") }
    return ByteView(sink.document)
  }

  /// Source: AWS SDKs and Tools Reference Guide, "Process credential provider", whose members both services
  /// have: AccessKeyId, SecretAccessKey, Token, Expiration.
  private static func credentials(
    in body: ByteView, source: String
  ) throws(WebError) -> ObjectCredentials {
    let limits = JSONLimits(depth: 8, bytes: 64 << 10, nodes: 1000, stringBytes: 32 << 10)
    guard let parse = try? JSONDocument.parse(body, limits: limits), parse.cut == nil,
      let id = parse.value["AccessKeyId"]?.string,
      let secret = parse.value["SecretAccessKey"]?.string
    else { throw WebError("the service's answer has no AccessKeyId and SecretAccessKey") }
    let expiry = parse.value["Expiration"]?.string.flatMap { Timestamp($0) }
    return ObjectCredentials(
      id, secret, parse.value["Token"]?.string, expiry: expiry, source: source)
  }
}
