internal import Bytes
internal import CMarkSearch

/// Searches a text for any of several marks in one pass.
///
/// Each mark has an anchor, a byte that is rare in texts: a colon if there is one. The search processes many
/// bytes at a time up to the next anchor whose neighbours match those of a mark, and compares the marks only
/// there.
///
/// `@unchecked Sendable`: its pointers are those of texts in the program, which are never written.
@safe
struct MarkSearch: @unchecked Sendable {
  /// A text to search for.
  struct Mark: Sendable {
    let text: StaticString
    /// The text before a mark that begins with its anchor.
    let neighbour: Neighbour

    init(_ text: StaticString, after neighbour: Neighbour = .anything) {
      self.text = text
      self.neighbour = neighbour
    }
  }

  /// The text before a mark.
  enum Neighbour: Sendable {
    case anything, digit
    /// A word that may be the name of a type, see ``ExceptionLine/isPossible(_:_:)``.
    case type

    fileprivate func allows(_ byte: UInt8) -> Bool {
      switch self {
      case .anything: true
      case .digit: byte.isDigit
      case .type: byte.isLetter || byte.isDigit || byte >= 0x80 || byte.isOne(of: "_)]")
      }
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

  /// A mark with the bytes around its anchor; those outside it are `nil`.
  private struct Anchored {
    let mark: Int
    let text: StaticString
    let neighbour: Neighbour
    let offset: Int

    init(_ mark: Mark, index: Int) {
      precondition(mark.text.utf8CodeUnitCount > 0, "a mark has no text")
      self.mark = index
      text = mark.text
      neighbour = mark.neighbour
      offset = MarkSearch.anchor(of: text)
    }

    var anchor: UInt8 { text.byte(offset) }
    var before: UInt8? { offset > 0 ? text.byte(offset - 1) : nil }

    /// The byte that is `distance` after the anchor.
    func after(_ distance: Int) -> UInt8? {
      offset + distance < text.utf8CodeUnitCount ? text.byte(offset + distance) : nil
    }

    /// The bytes that are searched for.
    var group: MarkGroups.Group {
      MarkGroups.Group { position in
        let index = offset + position
        if index >= 0, index < text.utf8CodeUnitCount { return .init(text.byte(index)) }
        return index == -1 ? Self.halves(before: neighbour) : .all
      }
    }

    private static func halves(before neighbour: Neighbour) -> MarkGroups.Halves {
      switch neighbour {
      case .anything: .all
      case .digit: digits
      case .type: types
      }
    }

    private static let digits = MarkGroups.Halves(where: Neighbour.digit.allows)
    private static let types = MarkGroups.Halves(where: Neighbour.type.allows)
  }

  // In arrays, as a structure of this size would be copied for each access.
  private let tables: [mark_tables]
  private let rows: [mark_row]
  private let bits: [UInt64]
  private let entries: [mark_entry]

  /// - Parameters:
  ///   - marks: Non-empty texts. If two of them begin at one position, both are found, in this order.
  ///   - groups: Groups that are known to divide the marks well. If they do not cover all of them,
  ///     others are computed, which takes longer than the rest.
  init(_ marks: [Mark], groups: MarkGroups? = nil) {
    let anchored = marks.enumerated().map { Anchored($1, index: $0) }
    // The marks of each row.
    var members: [[Int]] = []
    var rowOfByte = [UInt8](repeating: .max, count: 256)
    for (index, mark) in anchored.enumerated() {
      let byte = Int(mark.anchor)
      if rowOfByte[byte] == .max {
        rowOfByte[byte] = UInt8(members.count)
        members.append([])
      }
      members[Int(rowOfByte[byte])].append(index)
    }
    var rows: [mark_row] = []
    var bits: [UInt64] = []
    var entries: [mark_entry] = unsafe []
    unsafe entries.reserveCapacity(marks.count)
    for members in members {
      let words = (members.count + 63) / 64
      rows.append(
        mark_row(
          entries: UInt16(unsafe entries.count), words: UInt16(words), bits: UInt32(bits.count)))
      Self.add(members.map { anchored[$0] }, words: words, to: &bits)
      for index in members {
        unsafe entries.append(Self.entry(anchored[index]))
      }
    }
    self.rows = rows
    self.bits = bits
    unsafe self.entries = entries
    let needed = anchored.map { $0.group }
    let groups = groups.flatMap { $0.cover(needed) ? $0 : nil } ?? MarkGroups(joining: needed)
    tables = [groups.tables(rowOfByte)]
  }

  /// The groups of marks that the search computes for `marks`.
  static func groups(of marks: [Mark]) -> MarkGroups {
    MarkGroups(joining: marks.enumerated().map { Anchored($1, index: $0).group })
  }

  private static func entry(_ mark: Anchored) -> mark_entry {
    unsafe mark_entry(
      text: mark.text.utf8Start, length: UInt16(mark.text.utf8CodeUnitCount),
      anchor: UInt16(mark.offset),
      mark: UInt16(mark.mark), after_type: mark.offset == 0 && mark.neighbour == .type ? 1 : 0)
  }

  /// Adds the words of a row, as in `mark_row.bits`.
  private static func add(_ marks: [Anchored], words: Int, to bits: inout [UInt64]) {
    for side in [-1, 1, 2] {
      let start = bits.count
      bits.append(contentsOf: repeatElement(0, count: 256 * words))
      for (index, mark) in marks.enumerated() {
        let word = start + index >> 6
        let bit: UInt64 = 1 << UInt64(index & 63)
        if let byte = side < 0 ? mark.before : mark.after(side) {
          bits[word + Int(byte) * words] |= bit
        } else {
          let neighbour = side < 0 ? mark.neighbour : .anything
          for byte in 0..<256 where neighbour.allows(UInt8(byte)) {
            bits[word + byte * words] |= bit
          }
        }
      }
    }
  }

  /// The byte of a mark at which the search stops: the last colon, or the first of the rarest kind.
  private static func anchor(of text: StaticString) -> Int {
    var best = 0
    for index in 0..<text.utf8CodeUnitCount {
      let byte = text.byte(index)
      if byte == UInt8(ascii: ":") || rank(byte) < rank(text.byte(best)) { best = index }
    }
    return best
  }

  /// A rank, larger for bytes that are more common in logs.
  private static func rank(_ byte: UInt8) -> Int {
    switch byte {
    case UInt8(ascii: ":"): -1
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
    let found = unsafe text.withUnsafeBytes { bytes in
      unsafe tables.withUnsafeBufferPointer { tables in
        unsafe rows.withUnsafeBufferPointer { rows in
          unsafe bits.withUnsafeBufferPointer { bits in
            unsafe entries.withUnsafeBufferPointer { entries in
              var search = unsafe mark_search(
                tables: tables.baseAddress, rows: rows.baseAddress, bits: bits.baseAddress,
                entries: entries.baseAddress)
              let found = unsafe mark_next(
                &search, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                previous?.anchor ?? position, bytes.count, Int32(previous?.mark ?? -1))
              return unsafe found.entry.map {
                let start = unsafe found.anchor - Int($0.pointee.anchor)
                return unsafe Match(
                  mark: Int($0.pointee.mark), start: start, anchor: found.anchor)
              }
            }
          }
        }
      }
    }
    return found
  }
}

extension StaticString {
  /// The byte at `index`, which must be in the text.
  fileprivate func byte(_ index: Int) -> UInt8 {
    precondition(index >= 0 && index < utf8CodeUnitCount, "a position outside of a text")
    return unsafe utf8Start[index]
  }
}
