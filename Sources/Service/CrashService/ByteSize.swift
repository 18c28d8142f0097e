/// A number of bytes in the usual notation: `500MB`, `10GiB`, `4096`, `10B`.
package struct ByteSize: Hashable, Sendable {
  package let bytes: Int

  /// Powers of a thousand, and those of 1024 with an `i`.
  private static let units: [(suffix: String, bytes: Int)] = [
    ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30), ("tib", 1 << 40), ("kb", 1_000),
    ("mb", 1_000_000), ("gb", 1_000_000_000), ("tb", 1_000_000_000_000), ("k", 1_000),
    ("m", 1_000_000), ("g", 1_000_000_000), ("t", 1_000_000_000_000), ("b", 1), ("", 1),
  ]

  /// The number below which one without a unit is taken for one whose unit was forgotten, unless it is 0.
  private static let leastWithoutUnit = 1_000

  package init(_ bytes: Int) { self.bytes = bytes }

  package init?(argument: String) {
    let text = argument.lowercased()
    for (suffix, factor) in Self.units where text.hasSuffix(suffix) {
      var digits = text.dropLast(suffix.count)
      while digits.last == " " { digits.removeLast() }
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
        let number = Double(digits)
      else { return nil }
      let bytes = number * Double(factor)
      guard bytes < 0x1p62 else { return nil }
      if suffix.isEmpty, bytes > 0, bytes < Double(Self.leastWithoutUnit) { return nil }
      self.bytes = Int(bytes)
      return
    }
    return nil
  }
}
