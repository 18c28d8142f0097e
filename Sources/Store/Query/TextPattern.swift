/// A pattern for texts, ignoring letter case: letters and wildcards.
public struct TextPattern: Sendable, Hashable {
  /// The part of a text that has to match.
  public enum Anchor: Sendable {
    /// The whole text.
    case whole
    case start
    /// The whole text, or up to a following full stop: `1.4` of `1.4.2`.
    case components
    case anywhere
  }

  /// A part without `*`: bytes of UTF-8 in lower case; `nil` matches any one character.
  typealias Piece = [UInt8?]

  public let anchor: Anchor
  let pieces: [Piece]
  private let isStartOpen: Bool
  private let isEndOpen: Bool

  /// - Parameter hasWildcards: Whether `*` and `?` are wildcards.
  init(_ text: String, _ anchor: Anchor, hasWildcards: Bool) {
    var pieces: [Piece] = [[]]
    for byte in Self.folded(text) {
      switch byte {
      case UInt8(ascii: "*") where hasWildcards: pieces.append([])
      case UInt8(ascii: "?") where hasWildcards: pieces[pieces.count - 1].append(nil)
      default: pieces[pieces.count - 1].append(byte)
      }
    }
    self.anchor = anchor
    isStartOpen = anchor == .anywhere || pieces[0].isEmpty && pieces.count > 1
    isEndOpen = anchor != .whole || pieces[pieces.count - 1].isEmpty && pieces.count > 1
    self.pieces = pieces.filter { !$0.isEmpty }
  }

  /// The pattern that matches every text.
  public static let anything = TextPattern("*", .whole, hasWildcards: true)

  /// The form of a text that is compared.
  public static func folded(_ text: String) -> [UInt8] {
    guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return Array(text.lowercased().utf8) }
    return text.utf8.map { $0 | lowerCaseBit($0) }
  }

  private static func lowerCaseBit(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? 0x20 : 0
  }

  /// The only text that matches, in lower case; `nil` if there are others.
  public var exactText: String? {
    guard anchor == .whole, !isStartOpen, !isEndOpen, pieces.count <= 1 else { return nil }
    let bytes = (pieces.first ?? []).compactMap { $0 }
    guard bytes.count == (pieces.first ?? []).count else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The prefix of every matching text, in lower case.
  public var start: String {
    guard !isStartOpen, let first = pieces.first else { return "" }
    return String(decoding: first.prefix { $0 != nil }.compactMap { $0 }, as: UTF8.self)
  }

  /// Parts that every matching text contains, in lower case.
  public var literals: [String] {
    pieces.flatMap { piece in
      piece.split(separator: nil, omittingEmptySubsequences: true).map { run in
        String(decoding: run.compactMap { $0 }, as: UTF8.self)
      }
    }
  }

  /// Whether every text matches.
  public var isAnything: Bool { pieces.isEmpty && isStartOpen && isEndOpen }

  /// Whether some positions match exactly one character.
  public var hasSingles: Bool { pieces.contains { $0.contains(nil) } }

  public func matches(_ text: String) -> Bool { matches(folded: Self.folded(text)) }

  /// - Parameter text: Text in lower case, see ``folded(_:)``.
  /// - Complexity: O(n * m) at the worst.
  public func matches(folded text: [UInt8]) -> Bool {
    if anchor == .components, let first = pieces.first {
      guard let end = Self.end(of: first, in: text, at: 0) else { return false }
      return end == text.count || text[end] == UInt8(ascii: ".")
    }
    guard let first = pieces.first else { return text.isEmpty || isStartOpen || isEndOpen }
    var position = 0
    var rest = pieces[...]
    if !isStartOpen {
      guard let end = Self.end(of: first, in: text, at: 0) else { return false }
      position = end
      rest = rest.dropFirst()
      if rest.isEmpty { return isEndOpen || position == text.count }
    }
    if !isEndOpen, let last = rest.popLast() {
      guard rest.allSatisfy({ Self.find($0, in: text, from: &position) }) else { return false }
      return Self.ends(text, with: last, after: position)
    }
    return rest.allSatisfy { Self.find($0, in: text, from: &position) }
  }

  /// The end of a match of `piece` that begins at `start`.
  private static func end(of piece: Piece, in text: [UInt8], at start: Int) -> Int? {
    var position = start
    for byte in piece {
      guard position < text.count else { return nil }
      if let byte {
        guard text[position] == byte else { return nil }
        position += 1
      } else {
        position += 1
        while position < text.count, text[position] & 0xc0 == 0x80 { position += 1 }
      }
    }
    return position
  }

  private static func find(_ piece: Piece, in text: [UInt8], from position: inout Int) -> Bool {
    var start = position
    while start < text.count {
      if let first = piece.first, let byte = first, text[start] != byte {
        start += 1
        continue
      }
      // A wildcard matches a whole character.
      if text[start] & 0xc0 != 0x80, let end = end(of: piece, in: text, at: start) {
        position = end
        return true
      }
      start += 1
    }
    return false
  }

  private static func ends(_ text: [UInt8], with piece: Piece, after position: Int) -> Bool {
    // A wildcard matches one to four bytes, so the start is unknown.
    guard piece.contains(nil) else {
      return text.count - position >= piece.count
        && text.suffix(piece.count).elementsEqual(
          piece.compactMap { $0 })
    }
    var start = position
    while start < text.count {
      if text[start] & 0xc0 != 0x80, end(of: piece, in: text, at: start) == text.count {
        return true
      }
      start += 1
    }
    return false
  }
}
