internal import Bytes

/// The checksums of a cache: against damage, not against forgery.
///
/// Four sums side by side, each of every fourth word of eight bytes, for the processor does not wait
/// for one to work on the next: s = rotate(s ^ word, 29) * 0x9e3779b97f4a7c15, from the number of
/// bytes; then of the four one after the other, and of the words that are left, the last filled up
/// with zeros.
struct CacheChecksum {
  private static let groupSize = 32

  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  /// What does not fill a group yet.
  private var rest: [UInt8] = []
  private var hasGroups = false

  /// - Parameters:
  ///   - count: How many bytes are to come.
  ///   - start: A sum that this one goes on from.
  init(count: Int, from start: UInt64 = 0) {
    let start = start ^ UInt64(truncatingIfNeeded: count)
    lanes = (start, start, start, start)
  }

  /// Of everything behind the header and the index.
  static func contents(_ file: RawSpan) -> UInt64 {
    let start = min(SymbolCacheFormat.headerSize, file.byteCount)
    var sum = CacheChecksum(count: file.byteCount - start)
    sum.add(file.extracting(start..<file.byteCount))
    return sum.value
  }

  /// Of the header, whose field for this sum is left out, and of the index.
  ///
  /// - Parameter stretches: Where the section is that is the index.
  static func header(_ file: RawSpan, stretches: Range<Int>) -> UInt64 {
    let end = min(
      max(stretches.upperBound, SymbolCacheFormat.headerSize), SymbolCacheFormat.headerReach,
      file.byteCount)
    guard end > 24 else { return 0 }
    var first = CacheChecksum(count: 16)
    first.add(file.extracting(0..<16))
    var sum = CacheChecksum(count: end - 24, from: first.value)
    sum.add(file.extracting(24..<end))
    return sum.value
  }

  mutating func add(_ part: RawSpan) {
    var offset = 0
    if !rest.isEmpty {
      offset = min(Self.groupSize - rest.count, part.byteCount)
      for index in 0..<offset {
        rest.append(unsafe part.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      }
      guard rest.count == Self.groupSize else { return }
      let group = rest
      rest = []
      addGroups(unsafe group.span.bytes, from: 0)
    }
    offset = addGroups(part, from: offset)
    while offset < part.byteCount {
      rest.append(unsafe part.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      offset &+= 1
    }
  }

  /// - Returns: Where what does not fill a group begins.
  @discardableResult
  private mutating func addGroups(_ part: RawSpan, from start: Int) -> Int {
    var offset = start
    var (first, second, third, fourth) = lanes
    while part.byteCount &- offset >= Self.groupSize {
      first = Self.mix(first, Self.word(part, offset))
      second = Self.mix(second, Self.word(part, offset &+ 8))
      third = Self.mix(third, Self.word(part, offset &+ 16))
      fourth = Self.mix(fourth, Self.word(part, offset &+ 24))
      offset &+= Self.groupSize
    }
    if offset > start { hasGroups = true }
    lanes = (first, second, third, fourth)
    return offset
  }

  /// The sum of everything that was added.
  var value: UInt64 {
    var sum = lanes.0
    if hasGroups { sum = Self.mix(Self.mix(Self.mix(sum, lanes.1), lanes.2), lanes.3) }
    var word: UInt64 = 0
    var shift: UInt64 = 0
    for byte in rest {
      word |= UInt64(byte) &<< shift
      shift &+= 8
      if shift == 64 {
        sum = Self.mix(sum, word)
        (word, shift) = (0, 0)
      }
    }
    return Self.mix(sum, word)
  }

  @inline(__always)
  private static func word(_ file: RawSpan, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe file.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inline(__always)
  private static func mix(_ sum: UInt64, _ word: UInt64) -> UInt64 {
    let mixed = sum ^ word
    return (mixed &<< 29 | mixed &>> 35) &* 0x9e37_79b9_7f4a_7c15
  }
}
