/// Limits on uploads in several steps that are in progress on a server: for one token, and for all.
public struct UploadLimits: Sendable {
  /// Bytes of all uploads, as announced or as sent; one token may use half.
  public var bytes = 64 << 30
  /// Large files in parts, at a time.
  public var files = 256
  public var filesOfCaller = 64
  /// App Center's uploads that were announced and are not committed.
  public var announced = 2_000
  public var announcedOfCaller = 200
  /// Blocks that wait to be joined.
  public var blocks = 200_000
  public var blocksOfCaller = 100_000
  public var blocksOfUpload = 50_000
  /// Bytes of one of App Center's uploads.
  public var bytesOfUpload = 4 << 30
  /// Number of ended uploads of an app to remember.
  public var remembered = 10_000
  /// Maximum number of unfinished attempts at processing, for example for lack of memory.
  public var tries = 5

  public init() {}

  var bytesOfCaller: Int { bytes / 2 }
}

/// The reason why an upload is refused.
public enum UploadRefusal: Error, Equatable, Sendable {
  /// Too many uploads are in progress.
  case tooMany(limit: Int)
  case tooManyOfToken(limit: Int)
  /// Their total size is too large.
  case tooLarge(limit: Int)
  case tooLargeOfToken(limit: Int)
  /// This upload alone is too large.
  case uploadTooLarge(limit: Int)
  case tooManyBlocks(limit: Int)

  /// Whether it can be accepted once others end; otherwise never.
  public var isTemporary: Bool {
    switch self {
    case .uploadTooLarge, .tooManyBlocks: false
    default: true
    }
  }
}

extension UploadRefusal: CustomStringConvertible {
  public var description: String {
    switch self {
    case .tooMany(let limit):
      "\(limit) uploads are on their way, which is the limit; try again later"
    case .tooManyOfToken(let limit):
      "\(limit) uploads of this token are on their way, which is the limit; finish or abort some"
    case .tooLarge(let limit):
      "the uploads on their way have \(limit) bytes, which is the limit; try again later"
    case .tooLargeOfToken(let limit):
      "the uploads of this token have \(limit) bytes, which is the limit; finish or delete some"
    case .uploadTooLarge(let limit): "an upload may have \(limit) bytes"
    case .tooManyBlocks(let limit): "an upload may have \(limit) blocks"
    }
  }
}
