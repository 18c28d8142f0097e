internal import Bytes

/// Searches a text for any of several marks in one pass.
///
/// Of each mark one byte is chosen that few texts have, a colon where there is one. The search goes from one such
/// byte to the next, sixteen bytes at a time, and looks at the marks only where the bytes beside it fit, too.
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
  }

  /// The bytes at which the search stops.
  private var patterns: [SIMD16<UInt8>] = []
  /// For each byte, which of ``patterns`` it is; 255 for none.
  private var anchorOfByte = [UInt8](repeating: .max, count: 256)
  /// For each pattern, a bit for each pair of a byte before and one after it, whether a mark has them there.
  private var pairs: [UInt64] = []
  private static let pairWords = 1 << 10
  /// The marks of one anchor and one byte before it together, and where those of each stand.
  private var entries: [Entry] = []
  private var ranges: [Range<Int>] = []

  /// - Parameter marks: Not empty texts. Where two of them begin at one place, both are found, in this order.
  init(_ marks: [Mark]) {
    var byAnchor: [[Entry]] = []
    for (index, mark) in marks.enumerated() {
      let bytes = Array(mark.text.description.utf8)
      precondition(!bytes.isEmpty, "a mark has no text")
      let offset = Self.anchor(of: bytes)
      let byte = bytes[offset]
      if anchorOfByte[Int(byte)] == .max {
        anchorOfByte[Int(byte)] = UInt8(patterns.count)
        patterns.append(SIMD16(repeating: byte))
        pairs += [UInt64](repeating: 0, count: Self.pairWords)
        byAnchor += [[Entry]](repeating: [], count: 256)
      }
      let anchor = Int(anchorOfByte[Int(byte)])
      let before = offset > 0 ? [bytes[offset - 1]] : mark.neighbour.bytes
      let after = offset + 1 < bytes.count ? [bytes[offset + 1]] : Array(0...255)
      for first in before {
        byAnchor[anchor << 8 | Int(first)].append(
          Entry(mark: index, text: mark.text, offset: offset))
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
      let anchor = Int(anchorOfByte[Int(text.byte(place))])
      let before = place > 0 ? Int(text.byte(place &- 1)) : 0
      for index in ranges[anchor << 8 | before] {
        let entry = entries[index]
        guard place > position || entry.mark > earliest,
          text.has(entry.text, at: place &- entry.offset)
        else { continue }
        return Match(mark: entry.mark, start: place - entry.offset, anchor: place)
      }
      position = place + 1
      earliest = -1
    }
    return nil
  }

  /// Where the next anchor stands whose neighbours fit.
  private func nextAnchor(in text: RawSpan, from start: Int) -> Int? {
    var index = start
    let count = text.byteCount
    while index &+ 16 <= count {
      let block = unsafe text.unsafeLoadUnaligned(
        fromUncheckedByteOffset: index, as: SIMD16<UInt8>.self)
      var hits = SIMDMask<SIMD16<Int8>>(repeating: false)
      for pattern in patterns { hits = hits .| (block .== pattern) }
      let words = unsafe unsafeBitCast(hits, to: SIMD2<UInt64>.self)
      var word = words.x
      var base = index
      for _ in 0..<2 {
        while word != 0 {
          let place = base &+ word.trailingZeroBitCount >> 3
          if fits(text, place, count) { return place }
          // All bits of the byte are set.
          word &= ~(0xff << UInt64((place &- base) << 3))
        }
        word = words.y
        base = index &+ 8
      }
      index &+= 16
    }
    while index < count {
      if anchorOfByte[Int(text.byte(index))] != .max, fits(text, index, count) { return index }
      index &+= 1
    }
    return nil
  }

  private func fits(_ text: RawSpan, _ place: Int, _ count: Int) -> Bool {
    let before = place > 0 ? text.byte(place &- 1) : 0
    let after = place &+ 1 < count ? text.byte(place &+ 1) : 0
    let pair = Int(before) << 8 | Int(after)
    let anchor = Int(anchorOfByte[Int(text.byte(place))])
    return pairs[anchor &* Self.pairWords &+ pair >> 6] & (1 << UInt64(pair & 63)) != 0
  }
}
