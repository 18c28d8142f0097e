internal import Bytes

/// The layout of all flat files: a header, then sections that are found without building anything
/// in memory.
///
/// All numbers are little-endian.
///
///     OFFSET  SIZE  FIELD
///          0     8  what the file is, seven letters and a zero
///          8     4  version
///         12     4  flags of the format
///         16     8  checksum of the header, without these eight, and of section 0, the index
///         24     8  checksum of everything after the header
///         32     8  size of the file in bytes
///         40     8  image base, the linked address that offsets count from
///         48    16  debug id, as printed; zeros where the object has none
///         64     4  debug id, age
///         68     4  1 if the object has a debug id
///         72    32  architecture, ASCII, filled up with zeros
///        104        the format's own, with the number of sections (4), and for each section its offset
///                   (8) and size (8) in bytes
///
/// A format says where the rest of its header stands, and what its sections hold.
package struct FlatFileLayout: Sendable {
  /// How the checksums are computed; see ``FlatFileChecksum``.
  package enum Sums: Sendable {
    /// One lane; in the header's checksum the index follows the header as a part of its own.
    case simple
    /// Four lanes; the header's checksum is that of the file from byte 24 to the end of the index,
    /// but for at most that many bytes of the file.
    case wide(reach: Int)
  }

  /// For errors: `symbol cache`.
  package let name: StaticString
  package let magic: [UInt8]
  package let version: UInt32
  /// Everything before the sections.
  package let headerSize: Int
  package let sectionCount: Int
  /// Where the number of sections stands.
  package let countOffset: Int
  /// Where the offsets and sizes of the sections begin.
  package let tableOffset: Int
  /// Sections begin at multiples of it.
  package let alignment: Int
  /// How many zeros end the file.
  package let trailingZeros: Int
  package let sums: Sums

  package init(
    name: StaticString, magic: String, version: UInt32, headerSize: Int, sectionCount: Int,
    countOffset: Int, tableOffset: Int, alignment: Int, trailingZeros: Int, sums: Sums
  ) {
    self.name = name
    self.magic = Array(magic.utf8) + [0]
    self.version = version
    self.headerSize = headerSize
    self.sectionCount = sectionCount
    self.countOffset = countOffset
    self.tableOffset = tableOffset
    self.alignment = alignment
    self.trailingZeros = trailingZeros
    self.sums = sums
  }

  /// Where a section begins that follows what ends at `offset`.
  func aligned(_ offset: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }

  var structure: String { name.description }

  var isWide: Bool {
    if case .wide = sums { true } else { false }
  }

  /// The checksum of the header and of the index.
  ///
  /// - Parameter file: At least the header and the index.
  func headerSum(_ file: RawSpan, index: Range<Int>) -> UInt64 {
    let parts: [Range<Int>] =
      switch sums {
      case .simple: [24..<headerSize, index]
      case .wide(let reach): [24..<min(max(index.upperBound, headerSize), reach)]
      }
    var sum = checksum(file, 0..<16, from: 0)
    for part in parts { sum = checksum(file, part, from: sum) }
    return sum
  }

  /// The checksum of everything after the header.
  func contentsSum(_ file: RawSpan) -> UInt64 {
    let start = min(headerSize, file.byteCount)
    var sum = FlatFileChecksum(count: file.byteCount - start, isWide: isWide)
    sum.add(file.extracting(start..<file.byteCount))
    return sum.value
  }

  private func checksum(_ file: RawSpan, _ part: Range<Int>, from start: UInt64) -> UInt64 {
    let part = part.clamped(to: 0..<file.byteCount)
    guard !part.isEmpty else { return start }
    var sum = FlatFileChecksum(count: part.count, from: start, isWide: isWide)
    sum.add(file.extracting(part))
    return sum.value
  }
}
