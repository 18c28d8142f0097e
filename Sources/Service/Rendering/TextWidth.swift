internal import CrashService

/// The width of text on a terminal.
extension StringProtocol {
  /// The number of columns of the text.
  ///
  /// - Complexity: O(n).
  package var columns: Int {
    utf8.allSatisfy { $0 < 0x80 } ? utf8.count : reduce(0) { $0 + $1.columns }
  }
}

extension String {
  /// Returns the text, cut at its end to `width` columns; a cut is marked by `…`.
  package func truncated(to width: Int) -> String {
    guard columns > width else { return self }
    var text = ""
    var used = 0
    for character in self {
      guard used + character.columns < width else { break }
      text.append(character)
      used += character.columns
    }
    return width > 0 ? text + "…" : ""
  }

  /// Returns the text, cut at its start to `width` columns: the end of a path matters most.
  package func truncatedAtStart(to width: Int) -> String {
    guard columns > width else { return self }
    var kept: [Character] = []
    var used = 0
    for character in reversed() {
      guard used + character.columns < width else { break }
      kept.append(character)
      used += character.columns
    }
    return width > 0 ? "…" + String(kept.reversed()) : ""
  }

  /// Returns the text, padded with blanks to `width` columns.
  package func padded(to width: Int, right: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - columns))
    return right ? blanks + self : self + blanks
  }

  /// Returns the text in lines of at most `width` columns, broken at blanks if possible.
  ///
  /// - Parameter limit: The maximum number of lines; the last one is cut.
  /// - Complexity: O(n).
  package func lines(of width: Int, atMost limit: Int = .max) -> [String] {
    var lines: [String] = []
    var line = ""
    var used = 0
    var words = split(separator: " ", omittingEmptySubsequences: false)[...]
    // The part of a word that is longer than a line.
    var tail: (text: Substring, columns: Int)?
    while let (word, columns) = tail ?? words.popFirst().map({ ($0, $0.columns) }) {
      tail = nil
      let joined = line.isEmpty ? columns : used + 1 + columns
      if joined <= width {
        line += line.isEmpty ? word : " " + word
        used = joined
        continue
      }
      if lines.count + 1 == limit {
        let rest = (line.isEmpty ? [] : [line[...]]) + [word] + words
        line = rest.joined(separator: " ").truncated(to: width)
        break
      }
      if line.isEmpty {
        // A word longer than a line is broken where the line ends.
        var head = 0
        var end = word.startIndex
        for character in word {
          guard head + character.columns <= width || end == word.startIndex else { break }
          head += character.columns
          end = word.index(after: end)
        }
        lines.append(String(word[..<end]))
        if end < word.endIndex { tail = (word[end...], columns - head) }
      } else {
        lines.append(line)
        line = ""
        used = 0
        tail = (word, columns)
      }
    }
    if !line.isEmpty { lines.append(line) }
    return lines
  }
}

extension Character {
  /// The number of columns: 0 for a combining mark, 2 for wide East Asian characters and emoji, otherwise 1.
  ///
  /// Source: Unicode Standard Annex 11; the ranges contain only wide characters.
  package var columns: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.value < 0x300 { return 1 }
    if first.properties.isEmojiPresentation
      || (unicodeScalars.count > 1 && unicodeScalars.contains { $0.value == 0xfe0f })
    {
      return 2
    }
    switch first.value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0x33ff, 0x3400...0x4dbf, 0x4e00...0x9fff,
      0xa000...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3, 0xf900...0xfaff, 0xfe30...0xfe6f,
      0xff01...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff, 0x20000...0x3fffd:
      return 2
    default: break
    }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return 1
    }
  }
}
