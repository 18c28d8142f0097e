internal import Bytes
internal import CrashModel
internal import Identifiers
internal import UnwindRules

/// The unwind rules of an ELF image in the memory of a dump, which may lack other parts of it: its program
/// headers say where they were loaded.
struct MemoryRules {
  /// The most bytes of rules.
  private static let limit = 16 << 20
  /// The most program headers.
  private static let headers = 256
  /// The most bytes that an image takes: rules count from its start in 32 bits.
  private static let reach: UInt64 = 1 << 32

  private enum Segment {
    static let load: UInt64 = 1
    static let unwindIndex: UInt64 = 0x6474_e550
    static let exceptionIndex: UInt64 = 0x7000_0001
  }

  private let memory: ProcessMemory
  private let base: UInt64
  private var target: UnwindTarget

  /// - Returns: `nil` where no ELF file begins at the image's base.
  init?(_ image: LoadedImage, in memory: ProcessMemory) {
    guard let base = image.base?.value, let architecture = image.architecture,
      memory.bytes(at: base, count: 4)?.array == [0x7f, 0x45, 0x4c, 0x46]
    else { return nil }
    self.memory = memory
    self.base = base
    target = UnwindTarget(
      architecture: architecture, addressSize: memory.addressSize, endianness: memory.endianness)
    target.debugID = image.debugID
    target.imageBase = base
  }

  /// `nil` where memory has none.
  var rules: UnwindRules? {
    let segments = self.segments
    guard let first = segments.filter({ $0.type == Segment.load }).map(\.address).min() else {
      return nil
    }
    for segment in segments {
      let address = base &+ (segment.address &- first)
      guard address >= base, address - base < Self.reach, segment.size < UInt64(Self.limit) else {
        continue
      }
      let compiled: ByteView?
      switch segment.type {
      case Segment.unwindIndex: compiled = callFrames(indexedAt: address)
      case Segment.exceptionIndex where target.addressSize == 4:
        compiled = exceptionIndex(address..<(address + segment.size))
      default: continue
      }
      if let compiled, let rules = try? UnwindRules(opening: compiled), rules.rowCount > 0 {
        return rules
      }
    }
    return nil
  }

  // MARK: Headers

  /// Type, address and size in memory of each program header.
  private var segments: [(type: UInt64, address: UInt64, size: UInt64)] {
    let is64 = target.addressSize == 8
    guard let table = number(base &+ (is64 ? 32 : 28), target.addressSize),
      let size = number(base &+ (is64 ? 54 : 42), 2), size >= (is64 ? 56 : 32),
      let count = number(base &+ (is64 ? 56 : 44), 2), count <= UInt64(Self.headers)
    else { return [] }
    return (0..<count).compactMap { index in
      let header = base &+ table &+ index &* size
      guard let type = number(header, 4),
        let address = number(header &+ (is64 ? 16 : 8), target.addressSize),
        let size = number(header &+ (is64 ? 40 : 20), target.addressSize)
      else { return nil }
      return (type, address, size)
    }
  }

  private func number(_ address: UInt64, _ size: Int) -> UInt64? {
    memory.number(at: address, size: size)
  }

  // MARK: Rules

  /// The call frame information of which an index (`.eh_frame_hdr`) names the start and the functions, so that
  /// its end is known.
  ///
  /// Source: Linux Standard Base Core, "Exception Frames".
  private func callFrames(indexedAt address: UInt64) -> ByteView? {
    // Version 1; a distance of 4 bytes, a number of 4 bytes, and distances of 4 bytes from the index.
    guard number(address, 1) == 1, number(address &+ 1, 1) == 0x1b, number(address &+ 2, 1) == 0x03,
      number(address &+ 3, 1) == 0x3b, let distance = signed(address &+ 4),
      let count = number(address &+ 8, 4), count <= UInt64(Self.limit / 8)
    else { return nil }
    let start = address &+ 4 &+ distance
    var last = start
    for index in 0..<count {
      guard let distance = signed(address &+ 12 &+ index &* 8 &+ 4) else { break }
      last = max(last, address &+ distance)
    }
    guard last >= start, last - start < UInt64(Self.limit), let length = number(last, 4),
      length < UInt64(Self.limit)
    else { return nil }
    guard let bytes = memory.bytes(at: start, count: Int(last - start + 4 + length)) else {
      return nil
    }
    return try? UnwindRules.compile(callFrames: bytes, at: start, for: target)
  }

  private func signed(_ address: UInt64) -> UInt64? {
    number(address, 4).map { UInt64(bitPattern: Int64(Int32(truncatingIfNeeded: $0))) }
  }

  /// The index of 32-bit Arm; what it names lies before it in the same segment.
  private func exceptionIndex(_ addresses: Range<UInt64>) -> ByteView? {
    guard let region = memory.region(at: addresses.lowerBound) else { return nil }
    let start = max(region.start, base)
    let end = min(addresses.upperBound, region.end)
    guard end - start <= UInt64(Self.limit),
      let bytes = memory.bytes(at: start, count: Int(end - start))
    else { return nil }
    return try? UnwindRules.compile(
      exceptionIndex: addresses.lowerBound..<end, in: bytes, at: start, for: target)
  }
}
