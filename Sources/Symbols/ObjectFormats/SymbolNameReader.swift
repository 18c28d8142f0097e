internal import Bytes
internal import Glibc

/// Finds the ends of names in a string table.
///
/// Names may share their bytes, so a small file could request the same long one again and again:
/// the searched bytes are counted.
struct SymbolNameReader {
  private let names: ByteView
  private var searched = 0
  private let limit: Int

  init(_ names: ByteView) {
    self.names = names
    let most = ObjectLimits.symbolNameBytes
    limit = min(
      most,
      ObjectLimits.symbolNameSlack + min(names.count, most) * ObjectLimits.symbolNameRatio)
  }

  /// Whether `text` is at `offset`.
  func holds(_ text: [UInt8], at offset: Int) -> Bool {
    names.clamped(offset..<max(offset, names.count)).starts(with: text)
  }

  /// The length of the name at `offset` in bytes; `nil` when it does not begin or end in the table.
  ///
  /// - Throws: ``ParseError`` at the limit of searched bytes.
  mutating func count(at offset: UInt64) throws(ParseError) -> Int? {
    guard let start = Int(exactly: offset), start < names.count else { return nil }
    let length = unsafe names.withUnsafeBytes { bytes -> Int? in
      guard let base = unsafe bytes.baseAddress?.advanced(by: start),
        let end = unsafe memchr(base, 0, bytes.count - start)
      else { return nil }
      return unsafe UnsafeRawPointer(end) - base
    }
    searched += length ?? (names.count - start)
    guard searched <= limit else {
      throw ParseError(
        .limit(name: "bytes of symbol names", value: limit),
        in: "symbol names", at: start)
    }
    return length
  }
}
