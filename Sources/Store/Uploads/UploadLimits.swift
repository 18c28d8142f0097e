/// How much may be on its way to a server in uploads of several steps: of one token, and of all.
public struct UploadLimits: Sendable {
  /// Bytes of all uploads, as they were announced or as they came; one token has half of it.
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
  /// Uploads of an app that are remembered after they have ended.
  public var remembered = 10_000
  /// How often processing is begun that never came to an end, such as for want of memory.
  public var tries = 5

  public init() {}

  var bytesOfCaller: Int { bytes / 2 }
}

/// Why an upload goes no further.
public enum UploadRefusal: Error, Equatable, Sendable {
  /// Too many are on their way.
  case tooMany(limit: Int)
  case tooManyOfToken(limit: Int)
  /// Their bytes together.
  case tooLarge(limit: Int)
  case tooLargeOfToken(limit: Int)
  /// This one alone.
  case uploadTooLarge(limit: Int)
  case tooManyBlocks(limit: Int)

  /// Whether others have to end first; else this one can never be taken.
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
