internal import Bytes

/// The map of a process's memory as Linux prints it, `/proc/PID/maps`: the addresses of mapped files.
///
///     7f5a38800000-7f5a38890000 r--p 00000000 fe:00 161 /lib/libruby-3.1.so.3.1
struct ProcessMapText {
  /// The range from a file's mapped start to the end of its last part.
  private(set) var ranges: [String: Range<UInt64>] = [:]

  /// The fewest digits that kernels write; a date has fewer.
  private static let digits = 8

  /// Reads a line.
  ///
  /// - Returns: Whether it begins as one.
  @discardableResult
  mutating func read(_ line: RawSpan) -> Bool {
    var index = 0
    guard let start = line.hexadecimalDigits(at: &index),
      index >= Self.digits, line.byteOrZero(index) == UInt8(ascii: "-")
    else {
      return false
    }
    index += 1
    guard let end = line.hexadecimalDigits(at: &index), end > start,
      let slash = line.find(UInt8(ascii: "/"), from: index), line.byteOrZero(slash - 1).isBlank,
      line.byteOrZero(index) == 32
    else { return true }
    // Permissions, then the offset in the file.
    index += 6
    guard let offset = line.hexadecimalDigits(at: &index) else { return true }
    let path = line.from(slash).trimmed.name
    if let known = ranges[path] {
      if start >= known.lowerBound { ranges[path] = known.lowerBound..<max(end, known.upperBound) }
    } else if offset == 0, ranges.count < FormatLimits.images {
      ranges[path] = start..<end
    }
    return true
  }
}
