/// The default order of version numbers.
///
///     v1.5.0-rc.2 (7)
///      ^----          the release: numbers, of which zeros at the end don't count
///           ^---      a pre-release, which comes before the release
///                ^--  anything else, which makes it a later one
///
/// Numbers are compared as numbers and everything else as text, in lower case. A suffix that follows a dash
/// and begins with a letter is a pre-release, as is a known word (`rc1`, `b3`, ` beta 2`, `.dev4`) and
/// anything after `~`.
///
/// Sources: Semantic Versioning 2.0.0, section 11; PEP 440; deb-version(7).
public enum VersionOrder {
  /// Whether `left` comes before `right`.
  public static func precedes(_ left: String, _ right: String) -> Bool {
    compare(left, right) < 0
  }

  /// Below zero when `left` comes before `right`, zero when neither comes before the other.
  public static func compare(_ left: String, _ right: String) -> Int {
    left == right ? 0 : Version(left).compare(with: Version(right))
  }

  /// Whether both are spellings of one version: `1.5`, `1.5.0` and `v1.5.0`.
  public static func areSame(_ left: String, _ right: String) -> Bool { compare(left, right) == 0 }

  /// Whether a version is the hash of a commit, which implies no order.
  public static func isHash(_ version: String) -> Bool { isHash(version.utf8[...]) }

  /// Whether a version is a hash, or ends with one.
  public static func hasHash(_ version: String) -> Bool {
    version.utf8.count > 6 && Version(version).hasHash
  }

  /// Whether two versions differ only by hashes, so that their texts give no order.
  public static func areUnordered(_ left: String, _ right: String) -> Bool {
    guard left != right else { return false }
    if isHash(left) { return isHash(right) }
    let (one, other) = (Version(left), Version(right))
    return one.hasHash && other.hasHash && one.release == other.release
  }

  /// Whether it has seven to forty hexadecimal digits with a letter among them, also after a `g`, as in `git
  /// describe`.
  fileprivate static func isHash(_ text: Substring.UTF8View) -> Bool {
    var digits = text
    if digits.first == UInt8(ascii: "g") { digits = digits.dropFirst() }
    guard (7...40).contains(digits.count) else { return false }
    var hasLetter = false
    for byte in digits {
      if byte.isDigit { continue }
      guard (0x61...0x66).contains(byte | 0x20) else { return false }
      hasLetter = true
    }
    return hasLetter
  }
}

/// A version split into components.
private struct Version {
  private enum Kind: Int {
    case empty, text, number
  }

  private enum Suffix: Equatable {
    /// Words and numbers, without the separators between them.
    case earlier([Component])
    case none
    case later([Component])

    var rank: Int {
      switch self {
      case .earlier: 0
      case .none: 1
      case .later: 2
      }
    }

    var components: [Component] {
      switch self {
      case .earlier(let components), .later(let components): components
      case .none: []
      }
    }
  }

  fileprivate enum Component: Equatable {
    /// Digits without leading zeros, of any length.
    case number(String)
    case text(String)
  }

  private let kind: Kind
  /// Digits without leading zeros, and without trailing zero numbers.
  private(set) var release: [String] = []
  private let suffix: Suffix
  /// Whether the hash of a commit is all that follows the release.
  let hasHash: Bool

  init(_ version: String) {
    let text = version.lowercased()
    var rest = text.utf8[...]
    while rest.first?.isBlank == true { rest = rest.dropFirst() }
    while rest.last?.isBlank == true { rest = rest.dropLast() }
    if VersionOrder.isHash(rest) {
      kind = .text
      suffix = .later([.text(String(Substring(rest)))])
      hasHash = true
      return
    }
    if rest.first == UInt8(ascii: "v") {
      var digits = rest.dropFirst()
      if digits.first == UInt8(ascii: ".") || digits.first?.isBlank == true {
        digits = digits.dropFirst()
      }
      if digits.first?.isDigit == true { rest = digits }
    }
    kind = rest.isEmpty ? .empty : rest.first?.isDigit == true ? .number : .text
    while kind == .number {
      let digits = rest.prefix { $0.isDigit }
      release.append(String(Substring(digits.drop { $0 == UInt8(ascii: "0") })))
      rest = rest[digits.endIndex...]
      guard rest.first == UInt8(ascii: "."), rest.dropFirst().first?.isDigit == true else { break }
      rest = rest.dropFirst()
    }
    while release.last?.isEmpty == true { release.removeLast() }
    hasHash = !rest.isEmpty && VersionOrder.isHash(rest.dropFirst())
    if rest.isEmpty {
      suffix = .none
    } else if kind == .number, !hasHash, let words = Self.preRelease(rest) {
      suffix = .earlier(Self.components(of: words).filter { !$0.isMark }.map(\.plain))
    } else {
      suffix = .later(Self.components(of: rest))
    }
  }

  /// The words of a pre-release without the separator before them; `nil` where the suffix is not a
  /// pre-release.
  private static func preRelease(_ suffix: Substring.UTF8View) -> Substring.UTF8View? {
    let words = suffix.drop { $0.isMark }
    switch suffix.first {
    case UInt8(ascii: "~"): return words
    case UInt8(ascii: "-") where suffix.dropFirst().first?.isLetter == true: return words
    default: break
    }
    let word = words.prefix { $0.isLetter }
    guard let rank = ranks[String(Substring(word))], rank < Self.unknown else { return nil }
    // `1.0.2k` is a later version: a single letter needs a digit after it.
    let next = words[word.endIndex...].first { !$0.isMark }
    return word.count > 1 || next?.isDigit == true ? words : nil
  }

  private static let unknown = 4
  private static let ranks = [
    "dev": 0, "nightly": 0, "canary": 0, "alpha": 1, "a": 1, "beta": 2, "b": 2, "milestone": 2,
    "preview": 3, "pre": 3, "prerelease": 3, "rc": 3, "c": 3, "cr": 3, "snapshot": 3, "ea": 3,
  ]

  /// The rank of the stage that a word names.
  private static func rank(_ word: String) -> Int { ranks[word] ?? unknown }

  private static func components(of text: Substring.UTF8View) -> [Component] {
    var components: [Component] = []
    var rest = text
    while let first = rest.first {
      let isWord = first.isLetter
      let run =
        first.isDigit
        ? rest.prefix { $0.isDigit } : rest.prefix { !$0.isDigit && $0.isLetter == isWord }
      components.append(
        first.isDigit
          ? .number(String(Substring(run.drop { $0 == UInt8(ascii: "0") })))
          : .text(String(Substring(run))))
      rest = rest[run.endIndex...]
    }
    return components
  }

  func compare(with other: Version) -> Int {
    if kind != other.kind { return kind.rawValue < other.kind.rawValue ? -1 : 1 }
    for (left, right) in zip(release, other.release) where left != right {
      return Self.isLess(left, right) ? -1 : 1
    }
    if release.count != other.release.count {
      return release.count < other.release.count ? -1 : 1
    }
    if suffix.rank != other.suffix.rank { return suffix.rank < other.suffix.rank ? -1 : 1 }
    for (left, right) in zip(suffix.components, other.suffix.components) where left != right {
      switch (left, right) {
      case (.number(let left), .number(let right)): return Self.isLess(left, right) ? -1 : 1
      case (.text(let left), .text(let right)):
        let (one, other) = (Self.rank(left), Self.rank(right))
        if suffix.rank == 0, one != other { return one < other ? -1 : 1 }
        return left < right ? -1 : 1
      case (.text, .number): return -1
      case (.number, .text): return 1
      }
    }
    let counts = (suffix.components.count, other.suffix.components.count)
    return counts.0 == counts.1 ? 0 : counts.0 < counts.1 ? -1 : 1
  }

  private static func isLess(_ left: String, _ right: String) -> Bool {
    let counts = (left.utf8.count, right.utf8.count)
    return counts.0 != counts.1 ? counts.0 < counts.1 : left < right
  }
}

extension Version.Component {
  /// The long form of a word for a stage.
  fileprivate var plain: Version.Component {
    switch self {
    case .text("a"): .text("alpha")
    case .text("b"): .text("beta")
    case .text("c"), .text("cr"): .text("rc")
    case .text("preview"), .text("prerelease"): .text("pre")
    default: self
    }
  }

  /// Whether it is only a separator between words and numbers.
  fileprivate var isMark: Bool {
    if case .text(let text) = self { return text.utf8.allSatisfy { $0.isMark } }
    return false
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  fileprivate var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) || self >= 0x80 }
  fileprivate var isBlank: Bool { self == 0x20 || self == 0x09 }
  /// Whether it separates the components of a version.
  fileprivate var isMark: Bool {
    switch self {
    case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"), 0x20: true
    default: false
    }
  }
}
