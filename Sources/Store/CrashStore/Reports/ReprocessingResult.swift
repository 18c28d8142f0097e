internal import Bytes

/// The outcome of reprocessing a report.
public enum ReprocessingResult: Sendable {
  case replaced(PreparedReplacement)
  /// The submission reads as other reports today; the stored state of this one stays.
  case kept(id: String)
  /// It could not be read, for example because the stored bytes are damaged; its stored state stays,
  /// and it is tried again on request, or when another debug file arrives.
  case failed(id: String, reason: String)

  public var id: String {
    switch self {
    case .replaced(let replacement): replacement.row.id
    case .kept(let id), .failed(let id, _): id
    }
  }

  /// The approximate number of bytes that it takes in memory.
  public var heldBytes: Int {
    guard case .replaced(let replacement) = self else { return 0 }
    return replacement.content.bytes.count + replacement.row.heldBytes
  }
}
