/// The order of texts by their bytes. `<` of `String` takes texts for equal that differ in their bytes, such as the
/// names of two files that have the same characters.
public enum TextOrder {
  /// - Returns: A number below, equal to or above zero.
  public static func compare(_ left: String, _ right: String) -> Int {
    compare(left.utf8, right.utf8) { $0 }
  }

  /// Compares the names of files as if `/` were the lowest byte: a folder comes before the file that continues its
  /// name.
  public static func comparePaths(_ left: String, _ right: String) -> Int {
    compare(left.utf8, right.utf8) { $0 == UInt8(ascii: "/") ? 0 : $0 }
  }

  /// Compares lists of texts, the first ones first.
  public static func compare(_ left: [String], _ right: [String]) -> Int {
    for (one, other) in zip(left, right) {
      let order = compare(one, other)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// Compares optional texts; one that is not known comes first.
  public static func compare(_ left: String?, _ right: String?) -> Int {
    switch (left, right) {
    case (nil, nil): 0
    case (nil, _): -1
    case (_, nil): 1
    case (let left?, let right?): compare(left, right)
    }
  }

  /// The distinct texts in order.
  public static func set(_ texts: [String]) -> [String] {
    let sorted = texts.sorted { compare($0, $1) < 0 }
    return sorted.indices.filter { $0 == 0 || compare(sorted[$0 - 1], sorted[$0]) != 0 }
      .map { sorted[$0] }
  }

  @inline(__always)
  private static func compare(
    _ left: String.UTF8View, _ right: String.UTF8View, _ rank: (UInt8) -> UInt8
  ) -> Int {
    var (one, other) = (left.makeIterator(), right.makeIterator())
    while true {
      switch (one.next(), other.next()) {
      case (nil, nil): return 0
      case (nil, _): return -1
      case (_, nil): return 1
      case (let byte?, let otherByte?):
        let (own, others) = (rank(byte), rank(otherByte))
        if own != others { return own < others ? -1 : 1 }
      }
    }
  }
}
