/// A version as the SDK of iOS compares it: `v?N[.N[.N[-pre][+meta]]]`, where N is 0 or a number without
/// a leading zero; from the second number on `x` and `*` are allowed.
public struct ComparedVersion: Sendable {
  /// `*` for any.
  let base: [String]
  let prerelease: [String]

  /// - Returns: `nil` for a text that is not such a version.
  public init?(_ text: String) {
    var rest = text.lowercased()[...]
    if rest.first == "v" { rest.removeFirst() }
    let body = rest.prefix { $0 != "-" && $0 != "+" }
    let tail = rest[body.endIndex...]
    let numbers = body.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard (1...3).contains(numbers.count) else { return nil }
    for (index, number) in numbers.enumerated() {
      let isNumber =
        !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
        && (number == "0" || number.first != "0")
      guard isNumber || (index > 0 && (number == "x" || number == "*")) else { return nil }
    }
    guard tail.isEmpty || numbers.count == 3 else { return nil }
    var before: Substring = ""
    var meta: Substring?
    if tail.first == "-" {
      before = tail.dropFirst().prefix { $0 != "+" }
      guard Self.areIdentifiers(before) else { return nil }
    }
    let end = tail.first == "-" ? before.endIndex : tail.startIndex
    if tail[end...].first == "+" { meta = tail[end...].dropFirst() }
    if let meta, !Self.areIdentifiers(meta) { return nil }
    base = numbers.map { $0 == "x" ? "*" : $0 }
    prerelease = before.split(separator: ".").map(String.init)
  }

  private static func areIdentifiers(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { part in
        !part.isEmpty
          && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
      }
  }

  /// Negative, 0 or positive if `left` is lower, equal or higher; text after a `+` does not count.
  public static func compare(_ left: ComparedVersion, _ right: ComparedVersion) -> Int {
    for index in 0..<3 {
      let one = index < left.base.count ? left.base[index] : "0"
      let other = index < right.base.count ? right.base[index] : "0"
      if one == "*" || other == "*" { continue }
      let order = NumericText.compare(one, other)
      if order != 0 { return order }
    }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return (left.prerelease.isEmpty ? 1 : 0) - (right.prerelease.isEmpty ? 1 : 0)
    }
    for (one, other) in zip(left.prerelease, right.prerelease) where one != other {
      switch (Int(one), Int(other)) {
      case (let a?, let b?): return a < b ? -1 : 1
      case (_?, nil): return -1
      case (nil, _?): return 1
      case (nil, nil): return one < other ? -1 : 1
      }
    }
    return left.prerelease.count - right.prerelease.count
  }
}
