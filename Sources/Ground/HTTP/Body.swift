/// The form in which a route wants the body of its requests. Exceeding any limit is a 413.
public enum Body: Sendable {
  /// None; a body sent all the same is read and dropped, up to 64 KiB.
  case none
  /// Bytes in memory, decoded according to `Content-Encoding` (gzip, deflate, zstd).
  ///
  /// - Parameters:
  ///   - limit: The most bytes that may be sent.
  ///   - inflated: The most bytes after decoding.
  case memory(limit: ByteCount, inflated: ByteCount)
  /// Bytes in memory, exactly as they were sent: however encoded, and however broken.
  case sent(limit: ByteCount)
  /// A file of the spool folder, private to this process, exactly as it was sent.
  case file(limit: ByteCount)
  /// The parts of `multipart/form-data`, small ones in memory, others in spool files.
  case multipart(MultipartLimits)
  /// Form parts as in ``multipart(_:)`` if the request has that type, or otherwise as `otherwise`
  /// says.
  indirect case form(MultipartLimits, otherwise: Body)

  /// Bytes in memory, before and after decoding under one limit.
  public static func memory(limit: ByteCount) -> Body { .memory(limit: limit, inflated: limit) }

  /// The most bytes that may be sent.
  var limit: Int {
    switch self {
    case .none: 64 << 10
    case .memory(let limit, _), .sent(let limit), .file(let limit): limit.bytes
    case .multipart(let limits): limits.body.bytes
    case .form(let limits, let other): max(limits.body.bytes, other.limit)
    }
  }

  /// The form of the body for this request.
  func chosen(for head: RequestHead) -> Body {
    guard case .form(let limits, let other) = self else { return self }
    return head.contentType == "multipart/form-data" ? .multipart(limits) : other
  }

  /// How long a request may take by default, from its first line to the last byte of its body.
  var deadline: Duration {
    switch self {
    case .none, .memory, .sent: .seconds(60)
    case .multipart: .seconds(600)
    case .form(_, let other): max(.seconds(600), other.deadline)
    case .file: .seconds(3600)
    }
  }
}

/// The limits of a form.
public struct MultipartLimits: Sendable {
  /// The whole body, as it is sent.
  public var body: ByteCount
  /// The whole body, decoded.
  public var inflated: ByteCount
  public var parts = 1_000
  /// Names of fields and files, and content types, in bytes each.
  public var nameLength = 1_024
  /// A part that is larger goes to a spool file.
  public var inMemory: ByteCount = .kibibytes(64)

  public init(
    body: ByteCount = .mebibytes(100), inflated: ByteCount? = nil, parts: Int = 1_000,
    inMemory: ByteCount = .kibibytes(64)
  ) {
    self.body = body
    self.inflated = inflated ?? body
    self.parts = parts
    self.inMemory = inMemory
  }
}
