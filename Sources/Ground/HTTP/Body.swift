/// How a route wants the body of its requests. Each limit that is passed is a 413.
public enum Body: Sendable {
  /// None; what comes all the same is read and dropped, up to 64 KiB.
  case none
  /// Bytes in memory; `Content-Encoding` (gzip, deflate, zstd) is undone.
  ///
  /// - Parameters:
  ///   - limit: Of what is sent.
  ///   - inflated: Of what comes out of it.
  case memory(limit: ByteCount, inflated: ByteCount)
  /// Bytes in memory, exactly as they were sent: whatever they are packed with, and however broken.
  case sent(limit: ByteCount)
  /// A file of the spool folder that nobody else sees, exactly as it was sent.
  case file(limit: ByteCount)
  /// The parts of `multipart/form-data`, small ones in memory, others in spool files.
  case multipart(MultipartLimits)
  /// As ``multipart(_:)`` where the request says that it is one, else as the other says.
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

  /// What it is for a request.
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

/// What a form may hold.
public struct MultipartLimits: Sendable {
  /// All of it, as it is sent.
  public var body: ByteCount
  /// All of it, decoded.
  public var inflated: ByteCount
  public var parts = 1_000
  /// Names of fields and files, content types: in bytes each.
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
