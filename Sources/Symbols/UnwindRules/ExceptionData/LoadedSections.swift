internal import Bytes
internal import ObjectFormats

/// The bytes of a program by their loaded addresses.
struct LoadedSections: Sendable {
  /// Offsets from the image base and contents, ascending.
  private let parts: [(start: UInt32, bytes: ByteView)]

  /// The number of bytes.
  var count: Int { parts.reduce(0) { $0 + $1.bytes.count } }

  init(_ object: ObjectFile) {
    var parts: [(start: UInt32, bytes: ByteView)] = []
    for section in object.sections where section.hasContents {
      guard section.compression == .none, section.address >= object.imageBase,
        let start = UInt32(exactly: section.address - object.imageBase),
        let bytes = try? object.contents(of: section)
      else { continue }
      parts.append((start, bytes))
    }
    self.parts = parts.sorted { $0.start < $1.start }
  }

  /// Bytes that are loaded contiguously from `start` on.
  init(_ bytes: ByteView, at start: UInt32) { parts = [(start, bytes)] }

  /// The bytes loaded from `address` on, to the end of the section.
  func bytes(at address: UInt32) -> ByteView? {
    let low = parts.lowerBound { $0.start <= address }
    guard low > 0 else { return nil }
    let part = parts[low - 1]
    let offset = Int(address - part.start)
    return offset < part.bytes.count ? part.bytes.clamped(offset..<part.bytes.count) : nil
  }

  /// The `count` bytes loaded at `address`.
  func bytes(
    at address: UInt32, count: Int, of structure: String
  ) throws(ParseError) -> ByteView {
    guard let bytes = bytes(at: address), bytes.count >= count else {
      throw ParseError(
        .outOfBounds(offset: UInt64(address), count: UInt64(clamping: count), size: self.count),
        in: structure, at: Int(address))
    }
    return bytes.clamped(0..<count)
  }
}
