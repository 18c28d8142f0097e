internal import Bytes
internal import CMarkSearch

/// Searches a text for any of several marks in one pass.
///
/// Of each mark one byte is chosen that few texts have, a colon where there is one: its anchor. The search goes over
/// many bytes at a time to the next place where an anchor stands between bytes that a mark has beside it, and looks at
/// the marks only there.
struct MarkSearch: Sendable {
  /// A text to search for.
  struct Mark: Sendable {
    let text: StaticString
    /// The byte before a mark that begins with its anchor.
    let neighbour: Neighbour

    init(_ text: StaticString, after neighbour: Neighbour = .anything) {
      self.text = text
      self.neighbour = neighbour
    }
  }

  /// The byte before a mark.
  enum Neighbour: Sendable {
    case anything, digit
    /// What may end the name of a type: letters, digits, underscores, closing brackets.
    case name

    var bytes: [UInt8] {
      switch self {
      case .anything: Array(0...255)
      case .digit: Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
      case .name:
        (0...255).filter { $0.isLetter || $0.isDigit || $0 >= 0x80 || "_)]>".utf8.contains($0) }
      }
    }
  }

  /// A place where a mark stands.
  struct Match: Equatable {
    /// Which mark, by its place in the list.
    let mark: Int
    /// Where it begins.
    let start: Int
    fileprivate let anchor: Int
  }

  private struct Entry {
    let mark: Int
    let text: StaticString
    /// Of the anchor in the mark.
    let offset: Int
    /// The two bytes after the anchor, as far as the mark has them: the first in the lower half.
    let next: UInt16
    let nextMask: UInt16

    init(mark: Int, text: StaticString, bytes: [UInt8], anchor offset: Int) {
      self.mark = mark
      self.text = text
      self.offset = offset
      let after = bytes.dropFirst(offset + 1).prefix(2)
      next = after.reversed().reduce(0) { $0 << 8 | UInt16($1) }
      nextMask = after.reduce(0) { mask, _ in mask << 8 | 0xff }
    }
  }

  /// Which bytes may stand before an anchor, at it and after it.
  private var tables = mark_tables()
  /// For each anchor, a bit for each pair of a byte before and one after it, whether a mark has them there.
  private var pairs: [UInt64] = []
  private static let pairWords = Int(mark_row_words)
  /// The marks of one anchor and one byte before it together, and where those of each stand.
  private var entries: [Entry] = []
  private var ranges: [Range<Int>] = []

  /// - Parameter marks: Not empty texts. Where two of them begin at one place, both are found, in this order.
  init(_ marks: [Mark]) {
    var rows = [UInt8](repeating: .max, count: 256)
    var byAnchor: [[Entry]] = []
    var groups = MarkGroups()
    for (index, mark) in marks.enumerated() {
      let bytes = Array(mark.text.description.utf8)
      precondition(!bytes.isEmpty, "a mark has no text")
      let offset = Self.anchor(of: bytes)
      let byte = bytes[offset]
      if rows[Int(byte)] == .max {
        rows[Int(byte)] = UInt8(byAnchor.count / 256)
        pairs += [UInt64](repeating: 0, count: Self.pairWords)
        byAnchor += [[Entry]](repeating: [], count: 256)
      }
      let anchor = Int(rows[Int(byte)])
      let before = offset > 0 ? [bytes[offset - 1]] : mark.neighbour.bytes
      let after = offset + 1 < bytes.count ? [bytes[offset + 1]] : Array(0...255)
      groups.add(before, byte, after)
      for first in before {
        byAnchor[anchor << 8 | Int(first)].append(
          Entry(mark: index, text: mark.text, bytes: bytes, anchor: offset))
        for second in after {
          let pair = Int(first) << 8 | Int(second)
          pairs[anchor * Self.pairWords + pair >> 6] |= 1 << UInt64(pair & 63)
        }
      }
    }
    for marks in byAnchor {
      ranges.append(entries.count..<(entries.count + marks.count))
      entries += marks
    }
    tables = groups.tables(rows)
  }

  /// The byte of a mark at which the search stops: the last colon, else the first of the rarest kind.
  private static func anchor(of bytes: [UInt8]) -> Int {
    if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) { return colon }
    return bytes.indices.min { rank(bytes[$0]) < rank(bytes[$1]) } ?? 0
  }

  /// Larger for bytes that are more common in logs.
  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: "'"), UInt8(ascii: "`"): 0
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "["), UInt8(ascii: "]"): 1
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): 2
    case 128...: 2
    case UInt8(ascii: "j"), UInt8(ascii: "k"), UInt8(ascii: "q"), UInt8(ascii: "v"),
      UInt8(ascii: "x"), UInt8(ascii: "z"):
      3
    case UInt8(ascii: "a")...UInt8(ascii: "z"): 5
    case UInt8(ascii: "0")...UInt8(ascii: "9"): 6
    case 32: 7
    default: 4
    }
  }

  /// The next match at or after `position`, in the order of the anchors in the text.
  ///
  /// - Parameter previous: The match that came before; matches at its anchor that come after it are found first.
  /// - Complexity: O(n).
  func next(in text: RawSpan, from position: Int, after previous: Match? = nil) -> Match? {
    var position = position
    var earliest = -1
    if let previous {
      position = previous.anchor
      earliest = previous.mark
    }
    while let place = nextAnchor(in: text, from: position) {
      let anchor = row(of: text.byte(place))
      let before = place > 0 ? Int(text.byte(place &- 1)) : 0
      let after =
        UInt16(text.byteOrZero(place &+ 1)) | UInt16(text.byteOrZero(place &+ 2)) << 8
      for index in ranges[anchor << 8 | before] {
        let entry = entries[index]
        guard entry.next == after & entry.nextMask,
          place > position || entry.mark > earliest,
          text.has(entry.text, at: place &- entry.offset)
        else { continue }
        return Match(mark: entry.mark, start: place - entry.offset, anchor: place)
      }
      position = place + 1
      earliest = -1
    }
    return nil
  }

  private func row(of byte: UInt8) -> Int {
    unsafe withUnsafeBytes(of: tables.rows) { unsafe Int($0[Int(byte)]) }
  }

  /// Where the next anchor stands whose neighbours fit.
  private func nextAnchor(in text: RawSpan, from start: Int) -> Int? {
    let count = text.byteCount
    guard start < count else { return nil }
    let place = unsafe text.withUnsafeBytes { bytes in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe withUnsafePointer(to: tables) { tables in
          unsafe mark_next(
            tables, pairs.baseAddress, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            start, count)
        }
      }
    }
    return place < count ? place : nil
  }
}
