internal import Bytes
internal import Crypto
internal import Files
public import HTTPClient
internal import Identifiers
internal import Synchronization

/// Buckets of S3, or of a server that speaks its protocol.
///
/// Calls block; any number of threads may make them at a time, each over a connection of its own.
public final class ObjectStore: Sendable {
  private let account: ObjectStorageAccount
  private let pool: WebSenderPool
  private let plan: RetryPlan
  private let onWait: @Sendable (_ reason: String, _ seconds: Double) -> Void
  /// Regions of buckets that are not in the account's.
  private let regions = Mutex<[String: String]>([:])
  let limits: ObjectStoreLimits

  /// - Parameters:
  ///   - agent: The `User-Agent`.
  ///   - plan: How often a request is tried.
  ///   - onWait: Called with the reason and the seconds until the next try, on the thread of the request.
  public init(
    _ account: ObjectStorageAccount, agent: String, plan: RetryPlan = RetryPlan(),
    limits: ObjectStoreLimits = ObjectStoreLimits(),
    onWait: @escaping @Sendable (_ reason: String, _ seconds: Double) -> Void = { _, _ in }
  ) {
    self.account = account
    self.plan = plan
    self.limits = limits
    self.onWait = onWait
    pool = WebSenderPool(agent: agent, authorities: account.authorities)
  }

  /// A request for an object or a bucket.
  struct Call {
    var method: String
    var address: ObjectAddress
    var query: [(name: String, value: String)] = []
    var headers: [(name: String, value: String)] = []
    var body: ByteView?
    /// SHA-256 of the body, in hexadecimal digits.
    var digest = RequestSigner.emptyDigest
    /// Statuses besides 2xx that are answers.
    var answers: Set<Int> = []
    /// The longest silence in seconds.
    var silence: Int?
    /// Whether the bucket is asked, and the address's key is a prefix in the query.
    var isForBucket = false

    init(_ method: String, _ address: ObjectAddress) {
      self.method = method
      self.address = address
    }
  }

  /// An answer with its document.
  struct Answer {
    let head: WebHead
    let document: [UInt8]
  }

  func attempts() -> Attempts { Attempts(plan, onWait: onWait) }

  /// Reports a failure that has no consequence for the caller.
  func report(_ error: ObjectStorageError) { onWait(error.description, 0) }

  /// Sends a request until its answer is one.
  func send(
    _ call: Call, document limit: Int = ServiceDocuments.longestError, _ attempts: inout Attempts
  ) throws(ObjectStorageError) -> Answer {
    while true {
      let sink = AnswerSink(document: limit)
      if let head = try attempt(call, to: sink, &attempts) {
        guard !sink.isCut else {
          throw ObjectStorageError(
            .malformed, call.address.description, "the answer is longer than \(limit) bytes")
        }
        return Answer(head: head, document: sink.document)
      }
    }
  }

  /// Sends a request once.
  ///
  /// - Returns: The head of an answer, also where `sink` ended it; `nil` for another try, for which was
  ///   waited.
  func attempt(
    _ call: Call, to sink: AnswerSink, _ attempts: inout Attempts
  ) throws(ObjectStorageError) -> WebHead? {
    let subject = call.address.description
    let credentials: ObjectCredentials?
    do throws(ObjectStorageError) {
      credentials = try account.credentials?.credentials()
    } catch {
      throw ObjectStorageError(error.kind, subject, error.reason, advice: error.advice)
    }
    let region = regions.withLock { $0[call.address.bucket] } ?? account.region
    let request = try request(call, credentials, region)
    var options = WebTransferOptions()
    options.keepsPath = true
    options.silence = call.silence ?? limits.silence
    options.leastSpeed = call.silence == nil ? limits.leastSpeed : 1
    let head: WebHead
    do throws(WebError) {
      head = try pool.transfer(request, to: sink, options)
    } catch {
      // The rest of an answer was not wanted.
      guard error.kind == .stopped, let stopped = sink.head else {
        let failure = ObjectStorageError(
          .unreachable, subject, error.description, advice: Self.advice(for: error))
        guard error.kind == .temporary else { throw failure }
        try attempts.pause(after: failure, progress: sink.progress)
        return nil
      }
      head = stopped
    }
    if (200...299).contains(head.status) || call.answers.contains(head.status) { return head }
    let said = RefusalDocument(sink.document)
    if let other = head["x-amz-bucket-region"] ?? said.region, other != region,
      [301, 302, 307, 400, 403].contains(head.status), !attempts.hasChangedRegion,
      ObjectStorageEndpoint.isRegion(other)
    {
      attempts.hasChangedRegion = true
      regions.withLock { $0[call.address.bucket] = other }
      return nil
    }
    if let credentials, !attempts.hasRenewed,
      ["ExpiredToken", "TokenRefreshRequired"].contains(said.code)
    {
      attempts.hasRenewed = true
      account.credentials?.forget(credentials)
      return nil
    }
    let failure = Self.error(head, said, subject, isSigned: credentials != nil)
    guard Self.isTemporary(head.status, said.code) else { throw failure }
    try attempts.pause(after: failure, asked: head.retryAfter)
    return nil
  }

  func request(
    _ call: Call, _ credentials: ObjectCredentials?, _ region: String
  ) throws(ObjectStorageError) -> WebRequest {
    let bucket = call.address.bucket
    let endpoint = account.endpoint ?? .amazon(region: region)
    var key = PercentEncoding.encoded(
      call.isForBucket ? "" : call.address.key, keepsSlash: true)
    key = "/\(key)"
    let server: ObjectStorageEndpoint
    let path: String
    // A certificate for *.s3.amazonaws.com does not fit names with dots, and hosts have no capitals.
    let isHost =
      account.endpoint == nil && bucket.utf8.count <= 63
      && bucket.allSatisfy { $0 != "." && $0 != "_" && !$0.isUppercase }
    if isHost {
      server = ObjectStorageEndpoint(
        isSecure: endpoint.isSecure, host: "\(bucket).\(endpoint.host)", port: endpoint.port)
      path = key
    } else {
      server = endpoint
      path = "\(endpoint.base)/\(bucket)\(key == "/" ? "" : key)"
    }
    var headers = [(name: "Host", value: server.authority)] + call.headers
    if let credentials {
      headers = RequestSigner(credentials, region: region).signed(
        call.method, path: path, query: call.query, headers: headers, digest: call.digest,
        at: Timestamp(seconds: Int64(WallClock.seconds)))
    }
    let query = RequestSigner.canonicalQuery(call.query)
    var request = WebRequest(
      call.method, server.origin + path + (query.isEmpty ? "" : "?\(query)"),
      headers: headers.map { "\($0.name): \($0.value)" }, body: call.body)
    // libcurl would call a body a form.
    if call.body != nil, !call.headers.contains(where: { $0.name == "Content-Type" }) {
      request.headers.append("Content-Type:")
    }
    return request
  }

  // MARK: Failures

  /// Source: Amazon S3 API Reference, "Error responses", "List of error codes"; AWS SDKs and Tools Reference
  /// Guide, "Retry behavior".
  private static func isTemporary(_ status: Int, _ code: String?) -> Bool {
    if [408, 429, 500, 502, 503, 504].contains(status) { return true }
    return [
      "RequestTimeout", "SlowDown", "InternalError", "ServiceUnavailable", "Throttling",
      "ThrottlingException", "RequestLimitExceeded", "OperationAborted",
      "ConditionalRequestConflict",
    ].contains(code)
  }

  private static func error(
    _ head: WebHead, _ said: RefusalDocument, _ subject: String, isSigned: Bool
  ) -> ObjectStorageError {
    let kind: ObjectStorageError.Kind
    var advice: String?
    switch head.status {
    case 404:
      kind = .notFound
      if said.code == "NoSuchBucket" {
        advice = "check the name of the bucket, AWS_REGION and AWS_ENDPOINT_URL"
      }
    case 401, 403:
      kind = .notAllowed
      advice =
        switch said.code {
        case "SignatureDoesNotMatch": "check AWS_SECRET_ACCESS_KEY, and AWS_REGION"
        case "InvalidAccessKeyId": "check AWS_ACCESS_KEY_ID, AWS_PROFILE and AWS_ENDPOINT_URL"
        case "RequestTimeTooSkewed": "set the clock of this machine"
        case "ExpiredToken", "InvalidToken": "sign in again, or set AWS_SESSION_TOKEN anew"
        case _ where !isSigned: "the request was not signed: unset AWS_NO_SIGN_REQUEST"
        default:
          "check that the credentials may do this (s3:GetObject, s3:ListBucket, s3:PutObject);"
            + " without s3:ListBucket, a missing object looks like this, too"
        }
    case 412: kind = .changed
    case 416: kind = .outOfRange
    case 301, 302, 307, 308:
      kind = .refused
      advice = "set AWS_REGION to that of the bucket, and check AWS_ENDPOINT_URL"
    case _ where isTemporary(head.status, said.code): kind = .unreachable
    default:
      kind = .refused
      if ["ExpiredToken", "InvalidToken"].contains(said.code) {
        advice = "sign in again, or set AWS_SESSION_TOKEN anew"
      }
    }
    let words = head.status == 412 ? "it is no longer the version that was asked for" : nil
    return ObjectStorageError(
      kind, subject, words ?? said.message ?? "the server answered \(head.status)",
      status: head.status, code: said.code, advice: advice)
  }

  static func advice(for error: WebError) -> String? {
    error.kind == .permanent && error.description.lowercased().contains("certificate")
      ? "set AWS_CA_BUNDLE to a file with the certificate of its authority" : nil
  }
}

/// Limits of an ``ObjectStore``.
public struct ObjectStoreLimits: Sendable {
  /// Seconds after which a transfer with fewer bytes a second than ``leastSpeed`` is given up and tried
  /// again.
  public var silence = 60
  /// Bytes a second.
  public var leastSpeed = 1000
  /// Files of more bytes are uploaded in parts.
  public var wholeUpload = 64 << 20
  /// Bytes of a part, which is held in memory; at least 5 MiB, and more for files of more than 10,000 parts.
  ///
  /// Source: Amazon S3 User Guide, "Amazon S3 multipart upload limits".
  public var partBytes = 16 << 20
  /// Objects of one list.
  public var listed = 50_000_000

  public init() {}
}
