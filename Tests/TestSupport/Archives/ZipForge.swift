/// Zip archives whose parts need not agree.
///
/// Source: APPNOTE.TXT 6.3.10, sections 4.3.7, 4.3.9, 4.3.12, and 4.3.14 to 4.3.16.
public struct ZipForge: Sendable {
  public struct Entry: Sendable {
    public var name: [UInt8]
    public var bytes: [UInt8]
    /// Whether the bytes are a deflate stream (of stored blocks) in the file.
    public var isDeflated = false
    public var flags: UInt16 = 0
    /// Sizes and checksum follow the data, and are 0 before it.
    public var isDescribedLater = false
    /// Whether the data descriptor has a signature.
    public var hasDescriptorMark = true
    public var hasDescriptor = true
    /// Whether sizes and offset are in extra fields.
    public var isLarge = false
    /// Whether the directory contains it.
    public var isListed = true
    /// The local header's values, if different.
    public var localName: [UInt8]?
    public var localSize: UInt32?
    public var localChecksum: UInt32?
    public var localMethod: UInt16?
    /// The uncompressed size in the directory, if different.
    public var size: UInt64?
    /// Whether its data is that of the entry before it.
    public var sharesFormer = false
    /// Bytes after it that belong to nothing.
    public var gap: [UInt8] = []

    public init(_ name: String, _ bytes: some Collection<UInt8>) {
      self.name = Array(name.utf8)
      self.bytes = Array(bytes)
    }

    public init(_ name: String, _ text: String) { self.init(name, text.utf8) }
  }

  public var entries: [Entry]
  /// Bytes before the first member, and whether offsets count them.
  public var prefix: [UInt8] = []
  public var countsPrefix = false
  public var comment: [UInt8] = []
  /// Whether there is a second end record, and its count if different.
  public var hasLargeEnd = false
  public var largeCount: UInt64?
  public var count: UInt16?
  public var disk: UInt16 = 0
  /// Bytes of the directory that belong to no member.
  public var directoryRest: [UInt8] = []

  public init(_ entries: [Entry] = []) { self.entries = entries }

  public mutating func add(
    _ name: String, _ bytes: some Collection<UInt8>, isDeflated: Bool = false
  ) {
    var entry = Entry(name, bytes)
    entry.isDeflated = isDeflated
    entries.append(entry)
  }

  public mutating func add(_ name: String, _ text: String) { add(name, text.utf8) }

  /// The archive.
  public var bytes: [UInt8] {
    var local: [UInt8] = []
    var central: [UInt8] = []
    var listed = 0
    var former = 0
    let shift = countsPrefix ? prefix.count : 0
    for entry in entries {
      let offset = entry.sharesFormer ? former : local.count
      former = offset
      let packed = entry.isDeflated ? Self.stored(entry.bytes) : entry.bytes
      let checksum = crc32(entry.bytes)
      let method: UInt16 = entry.isDeflated ? 8 : 0
      let flags = entry.flags | (entry.isDescribedLater ? 8 : 0)
      let size = entry.size ?? UInt64(entry.bytes.count)
      if !entry.sharesFormer {
        local += header(entry, packed, checksum, method: entry.localMethod ?? method, flags, size)
        local += packed
        if entry.isDescribedLater && entry.hasDescriptor {
          local += entry.hasDescriptorMark ? little(UInt32(0x0807_4b50)) : []
          local += little(checksum)
          local +=
            entry.isLarge
            ? little(UInt64(packed.count)) + little(size)
            : little(UInt32(packed.count)) + little(UInt32(truncatingIfNeeded: size))
        }
        local += entry.gap
      }
      guard entry.isListed else { continue }
      listed += 1
      let isLarge = entry.isLarge
      let extra =
        isLarge
        ? little(UInt16(1)) + little(UInt16(24)) + little(size) + little(UInt64(packed.count))
          + little(UInt64(offset + shift)) : []
      central += little(UInt32(0x0201_4b50)) + little(UInt16(0x0314)) + little(UInt16(20))
      central += little(flags) + little(method) + little(UInt32(0x5821_0000)) + little(checksum)
      central += little(isLarge ? UInt32.max : UInt32(packed.count))
      central += little(isLarge ? UInt32.max : UInt32(truncatingIfNeeded: size))
      central += little(UInt16(entry.name.count)) + little(UInt16(extra.count)) + little(UInt16(0))
      central += little(UInt16(0)) + little(UInt16(0)) + little(UInt32(0o100644 << 16))
      central += little(isLarge ? UInt32.max : UInt32(offset + shift)) + entry.name + extra
    }
    central += directoryRest
    var bytes = prefix + local + central
    if hasLargeEnd {
      let place = UInt64(shift + local.count + central.count)
      bytes += little(UInt32(0x0606_4b50)) + little(UInt64(44)) + little(UInt16(45))
      bytes += little(UInt16(45)) + little(UInt32(0)) + little(UInt32(0))
      bytes += little(largeCount ?? UInt64(listed)) + little(largeCount ?? UInt64(listed))
      bytes += little(UInt64(central.count)) + little(UInt64(shift + local.count))
      bytes += little(UInt32(0x0706_4b50)) + little(UInt32(0)) + little(place) + little(UInt32(1))
    }
    let count = count ?? (hasLargeEnd ? UInt16.max : UInt16(listed))
    bytes += little(UInt32(0x0605_4b50)) + little(disk) + little(disk)
    bytes += little(count) + little(count)
    bytes += little(UInt32(central.count)) + little(UInt32(shift + local.count))
    return bytes + little(UInt16(comment.count)) + comment
  }

  private func header(
    _ entry: Entry, _ packed: [UInt8], _ checksum: UInt32, method: UInt16, _ flags: UInt16,
    _ size: UInt64
  ) -> [UInt8] {
    let isSaid = !entry.isDescribedLater
    let name = entry.localName ?? entry.name
    let extra =
      entry.isLarge
      ? little(UInt16(1)) + little(UInt16(16)) + little(isSaid ? size : 0)
        + little(isSaid ? UInt64(packed.count) : 0) : []
    var bytes = little(UInt32(0x0403_4b50)) + little(UInt16(20)) + little(flags) + little(method)
    bytes += little(UInt32(0x5821_0000)) + little(entry.localChecksum ?? (isSaid ? checksum : 0))
    bytes += little(entry.isLarge ? UInt32.max : isSaid ? UInt32(packed.count) : 0)
    bytes += little(
      entry.localSize
        ?? (entry.isLarge ? UInt32.max : isSaid ? UInt32(truncatingIfNeeded: size) : 0))
    return bytes + little(UInt16(name.count)) + little(UInt16(extra.count)) + name + extra
  }

  /// A deflate stream of stored blocks. Source: RFC 1951, section 3.2.4.
  public static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = []
    var start = 0
    repeat {
      let block = bytes[start..<min(bytes.count, start + 0xffff)]
      start += block.count
      let count = UInt16(block.count)
      stream.append(start == bytes.count ? 1 : 0)
      stream += [UInt8(count & 0xff), UInt8(count >> 8), UInt8(~count & 0xff), UInt8(~count >> 8)]
      stream += block
    } while start < bytes.count
    return stream
  }

  private func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
