public import Identifiers

extension AppleVersion {
  /// Whether the SDK takes an offered build for newer than the installed one.
  ///
  /// - Parameters:
  ///   - hashes: The hashes of the offered build.
  ///   - hash: The hash of the installed build; `nil` if it is unknown: then the same version and build are
  ///     taken for the same file.
  public static func isNewer(
    _ offered: Release, hashes: [String], than installed: Release, hash: String?
  ) -> Bool {
    let isOther = hash.map { !hashes.contains($0) } ?? (offered != installed)
    switch (isComparable(installed.version), isComparable(offered.version)) {
    case (false, false): return isOther
    case (false, true): return true
    case (true, false): return false
    case (true, true):
      let order = compare(offered.version, installed.version)
      if order != 0 { return order > 0 }
      let builds = compareNumbers(in: offered.build, and: installed.build)
      return builds == 0 ? isOther : builds > 0
    }
  }

  /// Compares two comparable versions: below zero when `left` comes before `right`. Text after a `+` does not
  /// count, and a pre-release comes before its release.
  static func compare(_ left: String, _ right: String) -> Int {
    let (one, other) = (Parts(left), Parts(right))
    for index in 0..<3 {
      let (first, second) = (one.number(index), other.number(index))
      if first == "*" || second == "*" { continue }
      let order = compareNumbers(in: first, and: second)
      if order != 0 { return order }
    }
    if one.prerelease.isEmpty || other.prerelease.isEmpty {
      return (one.prerelease.isEmpty ? 1 : 0) - (other.prerelease.isEmpty ? 1 : 0)
    }
    for (first, second) in zip(one.prerelease, other.prerelease) where first != second {
      switch (Int(first), Int(second)) {
      case (let a?, let b?): return a < b ? -1 : 1
      case (_?, nil): return -1
      case (nil, _?): return 1
      case (nil, nil): return first < second ? -1 : 1
      }
    }
    return one.prerelease.count - other.prerelease.count
  }

  /// A comparable version, split at its marks.
  private struct Parts {
    var base: [Substring]
    var prerelease: [Substring]

    init(_ version: String) {
      var text = version.lowercased()[...]
      if text.first == "v" { text.removeFirst() }
      text = text.prefix { $0 != "+" }
      let numbers = text.prefix { $0 != "-" }
      base = numbers.split(separator: ".")
      prerelease = text[numbers.endIndex...].dropFirst().split(separator: ".")
    }

    /// `*` for any number.
    func number(_ index: Int) -> String {
      guard index < base.count else { return "0" }
      return base[index] == "x" ? "*" : String(base[index])
    }
  }

  /// Compares texts with runs of digits by their values, as the SDK compares builds and systems: below zero
  /// when `left` comes before `right`.
  ///
  /// Source: the option NSNumericSearch of Foundation.
  static func compareNumbers(in left: String, and right: String) -> Int {
    var (one, other) = (left.utf8[...], right.utf8[...])
    func run(_ text: inout Substring.UTF8View) -> Substring.UTF8View {
      let digits = text.prefix { (48...57).contains($0) }
      text = text[digits.endIndex...]
      return digits.drop { $0 == 48 }
    }
    while let first = one.first, let second = other.first {
      if (48...57).contains(first), (48...57).contains(second) {
        let (a, b) = (run(&one), run(&other))
        if a.count != b.count { return a.count < b.count ? -1 : 1 }
        if !a.elementsEqual(b) { return a.lexicographicallyPrecedes(b) ? -1 : 1 }
      } else {
        if first != second { return first < second ? -1 : 1 }
        one.removeFirst()
        other.removeFirst()
      }
    }
    return (one.isEmpty ? 0 : 1) - (other.isEmpty ? 0 : 1)
  }
}
