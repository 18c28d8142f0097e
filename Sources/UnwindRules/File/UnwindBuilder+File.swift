internal import Bytes
internal import CrashModel

extension UnwindBuilder {
  /// The file of everything that was collected.
  ///
  /// - Throws: ``ParseError`` when it would need more than the numbers in it can say.
  func file(for target: UnwindTarget) throws(ParseError) -> ByteView {
    let writer = blocks()
    guard pool.words.count < Int(UInt32.max), expressions.bytes.count < Int(Int32.max),
      writer.rowCount < Int(UInt32.max)
    else {
      throw ParseError(
        .limit(name: "words of unwind rules", value: Int(UInt32.max)), in: "unwind rules", at: 0)
    }
    let noteBytes = Array(notes.joined(separator: "\n").utf8)
    let sizes = [
      writer.starts.count * 4, writer.blocks.count, pool.words.count * 8,
      expressions.bytes.count, noteBytes.count,
    ]
    var bytes = Table<UInt8>(minimumCapacity: UnwindFormat.headerSize + sizes.reduce(40, +))
    writeHeader(target, sizes: sizes, rowCount: writer.rowCount, to: &bytes)
    for index in 0..<writer.starts.count { bytes.put(writer.starts[index]) }
    bytes.fillUp()
    bytes.append(contentsOf: unsafe writer.blocks.span.bytes)
    bytes.fillUp()
    for index in 0..<pool.words.count { bytes.put(pool.words[index]) }
    bytes.append(contentsOf: unsafe expressions.bytes.span.bytes)
    bytes.fillUp()
    for byte in noteBytes { bytes.append(byte) }
    bytes.fillUp()
    let start = UnwindFormat.headerSize
    let contents = unsafe bytes.span.bytes.unwindContentsChecksum
    bytes.set(contents, at: 24)
    // The header's sum covers the one of the contents.
    let header = unsafe bytes.span.bytes.unwindHeaderChecksum(index: start..<start + sizes[0])
    bytes.set(header, at: 16)
    return ByteView(taking: bytes)
  }

  private func writeHeader(
    _ target: UnwindTarget, sizes: [Int], rowCount: Int, to bytes: inout Table<UInt8>
  ) {
    for byte in UnwindFormat.magic { bytes.append(byte) }
    bytes.put(UnwindFormat.version)
    bytes.put(sources.rawValue)
    bytes.resize(to: 32, filling: 0)
    let total = sizes.reduce(UnwindFormat.headerSize) { $0 + ($1 + 7) & ~7 }
    bytes.put(UInt64(total))
    bytes.put(target.imageBase)
    for byte in target.debugID?.uuid ?? [UInt8](repeating: 0, count: 16) { bytes.append(byte) }
    bytes.put(target.debugID?.age ?? 0)
    bytes.put(UInt32(target.debugID == nil ? 0 : 1))
    for byte in target.architecture.description.utf8.prefix(32) { bytes.append(byte) }
    bytes.resize(to: 104, filling: 0)
    bytes.put(UInt32(truncatingIfNeeded: rowCount))
    bytes.append(target.addressSize == 4 ? 4 : 8)
    bytes.append(target.endianness == .big ? 1 : 0)
    bytes.resize(to: 112, filling: 0)
    bytes.put(UInt32(UnwindFormat.sectionCount))
    bytes.resize(to: UnwindFormat.sectionTable, filling: 0)
    var place = UnwindFormat.headerSize
    for size in sizes {
      bytes.put(UInt64(place))
      bytes.put(UInt64(size))
      place += (size + 7) & ~7
    }
    bytes.resize(to: UnwindFormat.headerSize, filling: 0)
  }
}

extension Table<UInt8> {
  fileprivate mutating func put<T: FixedWidthInteger>(_ value: T) {
    for shift in stride(from: 0, to: T.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value &>> T(truncatingIfNeeded: shift)))
    }
  }

  fileprivate mutating func set(_ value: UInt64, at offset: Int) {
    for byte in 0..<8 {
      self[offset + byte] = UInt8(truncatingIfNeeded: value &>> UInt64(byte * 8))
    }
  }

  /// Adds zeros up to a multiple of eight bytes.
  fileprivate mutating func fillUp() { resize(to: (count + 7) & ~7, filling: 0) }
}
