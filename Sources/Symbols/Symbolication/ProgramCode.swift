internal import Bytes
internal import ObjectFormats

/// The code of a program by its offsets from the image base.
struct ProgramCode {
  /// Ascending.
  private let parts: [(start: UInt64, bytes: ByteView)]

  /// - Returns: `nil` for a file without code, such as a debug file.
  init?(_ object: ObjectFile) {
    var parts: [(start: UInt64, bytes: ByteView)] = []
    for section in object.sections where section.isExecutable && section.hasContents {
      guard section.compression == .none, section.address >= object.imageBase,
        let bytes = try? object.contents(of: section), !bytes.isEmpty
      else { continue }
      parts.append((section.address - object.imageBase, bytes))
    }
    guard !parts.isEmpty else { return nil }
    self.parts = parts.sorted { $0.start < $1.start }
  }

  /// `count` bytes at an offset, at most 8, as a little-endian number; `nil` unless all are in one section.
  func number(at offset: UInt64, count: Int) -> UInt64? {
    let low = parts.lowerBound { $0.start <= offset }
    guard low > 0, (1...8).contains(count) else { return nil }
    let part = parts[low - 1]
    let position = offset - part.start
    guard position < part.bytes.count, count <= part.bytes.count - Int(position) else { return nil }
    var value: UInt64 = 0
    for index in 0..<count {
      value |= UInt64(part.bytes[Int(position) + index]) << UInt64(8 * index)
    }
    return value
  }
}
