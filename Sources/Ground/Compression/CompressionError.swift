/// Why bytes could not be decompressed or compressed.
public enum CompressionError: Error, Equatable, Sendable {
  /// The input is not what `format` allows, as its library or this module reports it.
  case damaged(format: String, reason: String)
  /// The output is, or says that it is, larger than was allowed; both in bytes, `size` `nil` where
  /// it was not announced.
  case tooLarge(format: String, size: UInt64?, limit: Int)
  /// The library could not get the memory that it needs.
  case noMemory(format: String)
}

extension CompressionError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .damaged(let format, let reason): "\(format): \(reason)"
    case .tooLarge(let format, let size?, let limit):
      "\(format): \(size) bytes exceed the limit of \(limit)"
    case .tooLarge(let format, nil, let limit): "\(format): larger than the limit of \(limit) bytes"
    case .noMemory(let format): "\(format): not enough memory"
    }
  }
}
