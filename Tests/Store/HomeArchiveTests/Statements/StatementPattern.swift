/// A statement as a source has it: pieces, between which the program puts something in while it runs.
struct StatementPattern: Hashable {
  /// Stands for what is put in; no source has it.
  static let gap: Character = "\0"

  private let pieces: [Substring]

  /// - Parameter text: With one space between words.
  init(_ text: String) {
    pieces = text.split(separator: Self.gap, omittingEmptySubsequences: false).map { piece in
      // An interpolation may be empty, and then the spaces around it are one.
      var piece = piece
      while piece.first == " " { piece.removeFirst() }
      while piece.last == " " { piece.removeLast() }
      return piece
    }
  }

  /// Letters that are there whatever is interpolated.
  var length: Int { pieces.reduce(0) { $0 + $1.count } }

  /// Whether a statement is this one.
  func matches(_ statement: String) -> Bool {
    guard let first = pieces.first, let last = pieces.last, statement.hasPrefix(first) else {
      return false
    }
    guard pieces.count > 1 else { return statement == first }
    var rest = statement.dropFirst(first.count)
    guard rest.count >= last.count, rest.hasSuffix(last) else { return false }
    rest = rest.dropLast(last.count)
    return Self.find(pieces.dropFirst().dropLast(), in: rest)
  }

  /// Whether this is part of a statement.
  func isPart(of statement: String) -> Bool { Self.find(pieces[...], in: statement[...]) }

  private static func find(_ pieces: ArraySlice<Substring>, in text: Substring) -> Bool {
    var rest = text
    for piece in pieces where !piece.isEmpty {
      guard let range = rest.firstRange(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return true
  }
}
