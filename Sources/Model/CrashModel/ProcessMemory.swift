public import Bytes

/// The part of a process's memory in a dump, in which its stacks are walked.
///
/// It is part of no document: symbolicating a report again means reading its submission again.
public final class ProcessMemory: Sendable {
  /// Contiguous bytes in memory.
  public struct Region: Sendable {
    public let start: UInt64
    public let bytes: ByteView

    /// Creates a region; bytes beyond `UInt64.max` are cut off.
    public init(start: UInt64, bytes: ByteView) {
      self.start = start
      let room = UInt64.max - start
      self.bytes =
        UInt64(bytes.count) <= room ? bytes : bytes.clamped(0..<Int(clamping: room))
    }

    /// The address after the last byte.
    public var end: UInt64 { start + UInt64(bytes.count) }
  }

  /// In the order of their addresses, without overlaps.
  public let regions: [Region]
  /// The size of an address in bytes, 4 or 8.
  public let addressSize: Int
  public let endianness: Endianness
  /// The bits of a pointer that form an address, where the dump gives them; the others may be a signature.
  public let addressMask: UInt64?
  /// The mappings of the process's addresses, in order, without overlaps. Most dumps contain only a part of
  /// this memory.
  public let mappings: [MemoryMapping]
  /// Whether an address without a mapping is known to be free.
  public let hasAllMappings: Bool
  /// Records the reads, where that was requested.
  private let reads: MemoryReads?

  /// - Parameters:
  ///   - regions: In any order. Where two overlap, the one that begins first wins.
  ///   - mappings: In any order, with the same rule.
  public init(
    _ regions: [Region], addressSize: Int, endianness: Endianness, addressMask: UInt64? = nil,
    mappings: [MemoryMapping] = [], hasAllMappings: Bool = false
  ) {
    self.addressMask = addressMask
    reads = MemoryReads.current
    self.mappings = Self.ordered(mappings)
    self.hasAllMappings = hasAllMappings
    var kept: [Region] = []
    for region in regions.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      let end = kept.last?.end ?? 0
      guard region.end > max(end, region.start) else { continue }
      if region.start >= end {
        kept.append(region)
      } else {
        let known = Int(end - region.start)
        kept.append(Region(start: end, bytes: region.bytes.clamped(known..<region.bytes.count)))
      }
    }
    self.regions = kept
    self.addressSize = addressSize == 4 ? 4 : 8
    self.endianness = endianness
  }

  private static func ordered(_ mappings: [MemoryMapping]) -> [MemoryMapping] {
    var kept: [MemoryMapping] = []
    for mapping in mappings.sorted(by: { ($0.start, $0.end) < ($1.start, $1.end) }) {
      let start = max(kept.last?.end ?? 0, mapping.start)
      guard mapping.end > start else { continue }
      kept.append(
        MemoryMapping(
          start: start, end: mapping.end, protection: mapping.protection, state: mapping.state,
          name: mapping.name))
    }
    return kept
  }

  /// The mapping that contains `address`; `nil` where the dump lists none.
  public func mapping(at address: UInt64) -> MemoryMapping? {
    let after = mappings.lowerBound { $0.start <= address }
    guard after > 0, mappings[after - 1].end > address else { return nil }
    return mappings[after - 1]
  }

  /// The region that contains `address`; `nil` where the dump has none.
  public func region(at address: UInt64) -> Region? {
    let after = regions.lowerBound { $0.start <= address }
    guard after > 0, regions[after - 1].end > address else { return nil }
    return regions[after - 1]
  }

  /// The number of `size` bytes (1, 2, 4 or 8) at an address; `nil` unless all of it is in the dump.
  public func number(at address: UInt64, size: Int) -> UInt64? {
    guard var region = region(at: address) else { return nil }
    reads?.add(.init(address: address, size: size))
    let offset = Int(address - region.start)
    if size == 8, offset <= region.bytes.count - 8 {
      let value = unsafe region.bytes.bytes.unsafeLoadUnaligned(
        fromByteOffset: offset, as: UInt64.self)
      return endianness == .little ? UInt64(littleEndian: value) : UInt64(bigEndian: value)
    }
    var value: UInt64 = 0
    for index in 0..<size {
      let (byteAddress, overflow) = address.addingReportingOverflow(UInt64(index))
      if overflow { return nil }
      if byteAddress >= region.end {
        // Dumps may split contiguous memory into adjacent regions.
        guard let next = self.region(at: byteAddress) else { return nil }
        region = next
      }
      let byte = UInt64(region.bytes[Int(byteAddress - region.start)])
      value |= byte << (8 * UInt64(endianness == .little ? index : size - 1 - index))
    }
    return value
  }

  /// At most `count` bytes from `address` on, all in one region; `nil` where the dump has none.
  public func bytes(at address: UInt64, count: Int) -> ByteView? {
    guard let region = region(at: address) else { return nil }
    let start = Int(address - region.start)
    let bytes = region.bytes.clamped(start..<start.addingClamped(max(0, count)))
    reads?.add(.init(address: address, size: bytes.count))
    return bytes
  }

  /// The address stored at `address`.
  public func word(at address: UInt64) -> UInt64? { number(at: address, size: addressSize) }

  /// The text at `address` up to a zero byte, or as far as the dump goes.
  ///
  /// - Parameter limit: The most bytes that are read.
  public func text(at address: UInt64, limit: Int) -> String? {
    guard let region = region(at: address) else { return nil }
    let start = Int(address - region.start)
    let bytes = region.bytes.clamped(start..<start.addingClamped(limit)).array
    let text = bytes.prefix { $0 != 0 }
    reads?.add(.init(address: address, size: text.count, isText: true))
    return String(decoding: text, as: UTF8.self)
  }
}

/// Two are equal only if they are the same object: reports are compared by their contents.
extension ProcessMemory: Hashable {
  public static func == (one: ProcessMemory, other: ProcessMemory) -> Bool { one === other }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
