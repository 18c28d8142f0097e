internal import Bytes

/// The checksums of flat files: against damage, not against forgery.
///
/// Eight bytes at a time, s = rotate(s ^ word, 29) * 0x9e3779b97f4a7c15, starting from the number
/// of bytes; the last bytes are padded with zeros. Checksums are stored in files, so the algorithm
/// must not change.
///
/// A wide one has four sums side by side, each over every fourth word, so that the processor need
/// not wait for one to start the next; then the four are added one after another, followed by the
/// remaining words.
struct FlatFileChecksum {
  private let isWide: Bool
  private let groupSize: Int
  private var lanes: (UInt64, UInt64, UInt64, UInt64)
  /// Bytes that do not fill a group yet.
  private var rest: [UInt8] = []
  private var hasGroups = false

  /// - Parameters:
  ///   - count: How many bytes are to come.
  ///   - start: A sum that this one continues.
  init(count: Int, from start: UInt64 = 0, isWide: Bool) {
    self.isWide = isWide
    groupSize = isWide ? 32 : 8
    let start = start ^ UInt64(truncatingIfNeeded: count)
    lanes = (start, start, start, start)
  }

  mutating func add(_ part: RawSpan) {
    var offset = 0
    if !rest.isEmpty {
      offset = min(groupSize - rest.count, part.byteCount)
      for index in 0..<offset {
        rest.append(unsafe part.unsafeLoad(fromByteOffset: index, as: UInt8.self))
      }
      guard rest.count == groupSize else { return }
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

  /// - Returns: The offset of the bytes that do not fill a group.
  @discardableResult
  private mutating func addGroups(_ part: RawSpan, from start: Int) -> Int {
    var offset = start
    guard isWide else {
      var sum = lanes.0
      while part.byteCount &- offset >= 8 {
        sum = Self.mix(sum, Self.word(part, offset))
        offset &+= 8
      }
      lanes.0 = sum
      return offset
    }
    var (first, second, third, fourth) = lanes
    while part.byteCount &- offset >= groupSize {
      first = Self.mix(first, Self.word(part, offset))
      second = Self.mix(second, Self.word(part, offset &+ 8))
      third = Self.mix(third, Self.word(part, offset &+ 16))
      fourth = Self.mix(fourth, Self.word(part, offset &+ 24))
      offset &+= groupSize
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
