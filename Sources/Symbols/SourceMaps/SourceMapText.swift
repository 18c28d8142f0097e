internal import Bytes
internal import JSON

/// Where a string of a map lies; most are never asked for.
struct SourceMapText: BitwiseCopyable {
  private var start: UInt32
  private var count: UInt32

  /// No text.
  static let none = SourceMapText(start: 0, count: 0)

  private init(start: UInt32, count: UInt32) {
    self.start = start
    self.count = count
  }

  /// - Parameter base: Where the document begins in the map, in bytes.
  init(_ text: JSONText, base: Int) {
    start = UInt32(clamping: text.start + base)
    count = UInt32(clamping: text.count)
  }

  /// - Parameters:
  ///   - map: The bytes of the map.
  ///   - limit: Longer ones are `nil`.
  /// - Complexity: O(length).
  func string(in map: ByteView, limit: Int = SourceMapLimits.textBytes) -> String? {
    guard start > 0, Int(count) <= limit else { return nil }
    // With its quotation marks.
    let quoted = map.clamped((Int(start) - 1)..<(Int(start) + Int(count) + 1))
    var reader = JSONReader(quoted.bytes, limits: .sourceMap)
    return try? reader.readString()
  }
}

extension JSONLimits {
  static let sourceMap = JSONLimits(
    depth: 64, bytes: SourceMapLimits.bytes, nodes: 0, stringBytes: SourceMapLimits.bytes)
}
