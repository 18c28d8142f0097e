internal import Bytes

/// What became of a report that was to be reprocessed.
public enum ReprocessedReport: Sendable {
  case replaced(PreparedReplacement)
  /// The submission reads as other reports today; what is known of this one stays.
  case kept(id: String)
  /// It could not be read, such as because the stored bytes are damaged; what is known stays, and it
  /// is tried again when somebody asks, or when another debug file comes.
  case failed(id: String, reason: String)

  public var id: String {
    switch self {
    case .replaced(let replacement): replacement.row.id
    case .kept(let id), .failed(let id, _): id
    }
  }

  /// The bytes that will be written, compressed.
  public var packedCount: Int {
    guard case .replaced(let replacement) = self else { return 0 }
    return replacement.content.bytes.count
  }
}
