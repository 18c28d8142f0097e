internal import Bytes
internal import CMarkSearch

/// Searches a text for any of several marks in one pass.
///
/// Each mark has an anchor, a byte that is rare in texts: a colon if there is one. The search processes many
/// bytes at a time up to the next anchor whose neighbours match those of a mark, and compares the marks only
/// there.
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
    /// Bytes that may end a type name: letters, digits, underscores, closing brackets.
    case name

    fileprivate var bytes: [UInt8] {
      switch self {
      case .anything: Self.all
      case .digit: Array(UInt8(ascii: "0")...UInt8(ascii: "9"))
      case .name: Self.names
      }
    }

    fileprivate static let all = Array(UInt8.min...UInt8.max)
    private static let names = all.filter {
      $0.isLetter || $0.isDigit || $0 >= 0x80 || $0.isOne(of: "_)]>")
    }
  }

  /// A position of a mark.
  struct Match: Equatable {
    /// The index of the mark in the list.
    let mark: Int
    /// The start of the mark.
    let start: Int
    fileprivate let anchor: Int
  }

  /// Sets of marks while they are built: each is identified by a number, 0 is the empty one.
  private struct MarkSets {
    private struct Step: Hashable {
      let set: UInt16
      let mark: Int
    }

    private(set) var all: [[Int]] = [[]]
    private var steps: [Step: UInt16] = [:]

    mutating func adding(_ mark: Int, to set: UInt16) -> UInt16 {
      let step = Step(set: set, mark: mark)
      if let known = steps[step] { return known }
      let next = UInt16(all.count)
      all.append(all[Int(set)] + [mark])
      steps[step] = next
      return next
    }
  }

  private struct Entry {
    let mark: Int
    let text: StaticString
    /// The offset of the anchor in the mark.
    let offset: Int
    /// The two bytes after the anchor, as far as the mark has them: the first in the lower half.
    let next: UInt16
    let nextMask: UInt16
    /// The byte after the anchor; `nil` for any.
    var second: UInt8? { nextMask == 0 ? nil : UInt8(truncatingIfNeeded: next) }

    init(mark: Int, text: StaticString, bytes: [UInt8], anchor offset: Int) {
      self.mark = mark
      self.text = text
      self.offset = offset
      let after = bytes.dropFirst(offset + 1).prefix(2)
      next = after.reversed().reduce(0) { $0 << 8 | UInt16($1) }
      nextMask = after.reduce(0) { mask, _ in mask << 8 | 0xff }
    }
  }

  /// The bytes allowed before an anchor, at it and after it. In an array, as a structure of this size would
  /// be copied for each access.
  private var tables: [mark_tables] = []
  private var rows: [UInt8]
  /// For each anchor, a bit for each pair of a byte before and one after it, whether a mark has them there.
  private var pairs: [UInt64] = []
  private static let pairWords = Int(mark_row_words)
  private var entries: [Entry] = []
  /// The set of marks of each anchor and byte before it: many have the same.
  private var rowSets: [UInt16] = []
  // In flat arrays, as the search would else count references to those of each set.
  /// The positions of the marks of each set in `setMarks`, in their order.
  private var setRanges: [Range<Int32>] = []
  private var setMarks: [Int32] = []
  /// The position of a set's table in `byNext`: for each byte after the anchor, a bit for each mark that
  /// allows it. -1 for sets of too many marks, or of so few that a direct comparison is as fast.
  private var setTables: [Int32] = []
  private var byNext: [UInt64] = []

  /// - Parameter marks: Non-empty texts. If two of them begin at one position, both are found, in this order.
  init(_ marks: [Mark]) {
    rows = [UInt8](repeating: .max, count: 256)
    var groups = MarkGroups()
    var sets = MarkSets()
    for (index, mark) in marks.enumerated() {
      let bytes = Array(mark.text.description.utf8)
      precondition(!bytes.isEmpty, "a mark has no text")
      let offset = Self.anchor(of: bytes)
      let byte = bytes[offset]
      if rows[Int(byte)] == .max {
        rows[Int(byte)] = UInt8(rowSets.count / 256)
        rowSets += [UInt16](repeating: 0, count: 256)
        pairs += [UInt64](repeating: 0, count: Self.pairWords)
      }
      let anchor = Int(rows[Int(byte)])
      let before = offset > 0 ? [bytes[offset - 1]] : mark.neighbour.bytes
      let second = offset + 1 < bytes.count ? bytes[offset + 1] : nil
      groups.add(before, byte, second.map { [$0] } ?? Neighbour.all)
      entries.append(Entry(mark: index, text: mark.text, bytes: bytes, anchor: offset))
      for first in before {
        let row = anchor << 8 | Int(first)
        rowSets[row] = sets.adding(index, to: rowSets[row])
        // Four words for the bytes after it.
        let word = anchor * Self.pairWords + Int(first) << 2
        if let second {
          pairs[word + Int(second) >> 6] |= 1 << UInt64(second & 63)
        } else {
          for index in word..<(word + 4) { pairs[index] = .max }
        }
      }
    }
    tables = [groups.tables(rows)]
    // Most sets were only intermediate.
    var isUsed = [Bool](repeating: false, count: sets.all.count)
    for set in rowSets { isUsed[Int(set)] = true }
    for (marks, isUsed) in zip(sets.all, isUsed) { add(isUsed ? marks : []) }
  }

  /// Adds a set of marks.
  private mutating func add(_ marks: [Int]) {
    let start = Int32(setMarks.count)
    setMarks += marks.map(Int32.init)
    setRanges.append(start..<Int32(setMarks.count))
    guard (5...64).contains(marks.count) else {
      setTables.append(-1)
      return
    }
    let table = byNext.count
    setTables.append(Int32(table))
    byNext += [UInt64](repeating: 0, count: 256)
    for (position, mark) in marks.enumerated() {
      let bit: UInt64 = 1 << UInt64(position)
      if let byte = entries[mark].second {
        byNext[table + Int(byte)] |= bit
      } else {
        for byte in 0..<256 { byNext[table + byte] |= bit }
      }
    }
  }

  /// The byte of a mark at which the search stops: the last colon, or the first of the rarest kind.
  private static func anchor(of bytes: [UInt8]) -> Int {
    if let colon = bytes.lastIndex(of: UInt8(ascii: ":")) { return colon }
    return bytes.indices.min { rank(bytes[$0]) < rank(bytes[$1]) } ?? 0
  }

  /// A rank, larger for bytes that are more common in logs.
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
    // The anchor of the previous match is known.
    var known = previous?.anchor
    while let found = known ?? nextAnchor(in: text, from: position) {
      known = nil
      let anchor = Int(rows[Int(text.byte(found))])
      let before = found > 0 ? Int(text.byte(found &- 1)) : 0
      let after =
        UInt16(text.byteOrZero(found &+ 1)) | UInt16(text.byteOrZero(found &+ 2)) << 8
      let set = Int(rowSets[anchor << 8 | before])
      let marks = setRanges[set]
      var first = marks.lowerBound
      while first < marks.upperBound {
        // 64 at a time.
        let count = min(marks.upperBound - first, 64)
        let table = setTables[set]
        var members =
          table >= 0
          ? byNext[Int(table) + Int(after & 0xff)] : UInt64.max >> UInt64(64 - count)
        while members != 0 {
          let entry = entries[Int(setMarks[Int(first) + members.trailingZeroBitCount])]
          members &= members &- 1
          guard entry.next == after & entry.nextMask,
            found > position || entry.mark > earliest,
            text.has(entry.text, at: found &- entry.offset)
          else { continue }
          return Match(mark: entry.mark, start: found - entry.offset, anchor: found)
        }
        first += count
      }
      position = found + 1
      earliest = -1
    }
    return nil
  }

  /// The position of the next anchor whose neighbours match.
  private func nextAnchor(in text: RawSpan, from start: Int) -> Int? {
    let count = text.byteCount
    guard start < count else { return nil }
    let found = unsafe text.withUnsafeBytes { bytes in
      unsafe pairs.withUnsafeBufferPointer { pairs in
        unsafe tables.withUnsafeBufferPointer { tables in
          unsafe mark_next(
            tables.baseAddress, pairs.baseAddress,
            bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
            start, count)
        }
      }
    }
    return found < count ? found : nil
  }
}
