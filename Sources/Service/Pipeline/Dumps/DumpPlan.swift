internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ReportFormats

/// The parts of a dump that are written to its scrubbed copy.
struct DumpPlan {
  /// The amount of data kept for the stack of a thread.
  private enum Level: Int, Comparable {
    /// The stack's location, and those values read by the unwinder that can be addresses.
    case addresses
    /// All memory that the unwinder reads, and registers that can be addresses.
    case reads
    /// All registers, too.
    case registers

    static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
  }

  private let bytes: ByteView
  private let layout: DumpLayout
  private let report: CrashReport
  private let crashedThread: UInt64?
  private let images: [Range<UInt64>]
  private let keepsRegisters: Bool
  private var levels: [UInt64: Level] = [:]
  private var reads: Set<MemoryReads.Read> = []

  init(
    _ layout: DumpLayout, of bytes: ByteView, _ dump: DumpScrubber.Walked, keepsRegisters: Bool
  ) {
    self.layout = layout
    self.bytes = bytes
    report = dump.parsed
    self.keepsRegisters = keepsRegisters
    let threads = dump.parsed.threads
    crashedThread = dump.parsed.crashedThread.flatMap { index in
      threads.indices.contains(index) ? threads[index].id : nil
    }
    images = report.images.compactMap { image in
      guard let base = image.base?.value, let size = image.size else { return nil }
      return base..<(base + min(size, .max - base))
    }.sorted { $0.lowerBound < $1.lowerBound }
    for read in dump.parseReads.union(dump.walkReads) where isNeeded(read) { reads.insert(read) }
    reads.formUnion(layout.memory)
    reads.formUnion(heads())
  }

  // MARK: Kept data

  /// Whether a value that was read determines how unwinding continues: code, or an address.
  private func isNeeded(_ read: MemoryReads.Read) -> Bool {
    guard let memory = report.memory, read.size == memory.addressSize else { return true }
    if isInImage(read.address) { return true }
    return memory.number(at: read.address, size: read.size).map(isAddress) ?? false
  }

  /// Returns the first pages of ELF images, with their headers and build ids.
  private func heads() -> [MemoryReads.Read] {
    report.images.compactMap { image in
      guard let memory = report.memory, let base = image.base?.value,
        memory.bytes(at: base, count: 4)?.array == [0x7f, 0x45, 0x4c, 0x46]
      else { return nil }
      return .init(address: base, size: min(4096, Int(clamping: image.size ?? 4096)))
    }
  }

  private func isInImage(_ address: UInt64) -> Bool {
    let after = images.lowerBound { $0.lowerBound <= address }
    return after > 0 && images[after - 1].contains(address)
  }

  /// Whether a value points into an image or into memory of the dump.
  private func isAddress(_ value: UInt64) -> Bool {
    let value = value & (report.memory?.addressMask ?? .max)
    // Pointers may have signature bits above those of the address.
    let plain = value & 0xffff_ffff_ffff
    return [value, plain].contains { isInImage($0) || report.memory?.region(at: $0) != nil }
  }

  /// The registers that locate the stack of a thread.
  private static let stackRegisters: Set<String> = [
    "rip", "rsp", "rbp", "eip", "esp", "ebp", "pc", "sp", "fp", "lr", "ra", "s0", "cpsr",
  ]

  private func keeps(_ name: String, _ value: UInt64, of thread: UInt64) -> Bool {
    if keepsRegisters || Self.stackRegisters.contains(name) { return true }
    switch levels[thread] ?? .addresses {
    case .addresses: return false
    case .reads: return isAddress(value)
    case .registers: return true
    }
  }

  /// Keeps more data of threads for which a copy differed.
  ///
  /// - Parameter walk: Returns the memory read to unwind some threads.
  /// - Returns: Whether there was more to keep.
  mutating func keepMore(
    for difference: DumpDifference, _ walk: (Set<UInt64>) throws -> Set<MemoryReads.Read>
  ) throws -> Bool {
    guard difference.isOfContent else { return false }
    var threads = difference.threads
    if difference.hasOtherReason, let crashedThread { threads.insert(crashedThread) }
    var isMore = false
    for thread in threads {
      guard let next = Level(rawValue: (levels[thread] ?? .addresses).rawValue + 1) else {
        continue
      }
      levels[thread] = next
      isMore = true
    }
    if isMore { reads.formUnion(try walk(threads)) }
    return isMore
  }

  // MARK: The copy

  func pages(_ mask: DumpTextMask) -> (pages: DumpPages, result: ScrubbedDump) {
    var pages = DumpPages()
    var result = ScrubbedDump()
    result.size = bytes.count
    result.removedParts = layout.removed
    copyMemory(to: &pages, &result, mask)
    for range in layout.structures { pages.put(bytes.clamped(range), at: range.lowerBound) }
    for range in layout.zeros { pages.clear(range) }
    for context in layout.contexts {
      for register in context.registers {
        let part = bytes.clamped(register.range)
        let value = number(part)
        if value != 0 { result.registers += 1 }
        guard keeps(register.name, value, of: context.thread) else {
          pages.clear(register.range)
          continue
        }
        if value != 0 { result.keptRegisters += 1 }
        pages.put(part, at: register.range.lowerBound)
      }
    }
    var seen: Set<Range<Int>> = []
    for text in layout.texts where seen.insert(text.range).inserted {
      guard let masked = mask.masked(text, in: bytes) else { continue }
      result.maskedTexts += 1
      pages.put(ByteView(masked), at: text.range.lowerBound)
    }
    for patch in layout.patches { pages.put(ByteView(patch.bytes), at: patch.offset) }
    return (pages, result)
  }

  private func number(_ bytes: ByteView) -> UInt64 {
    var value: UInt64 = 0
    for index in 0..<min(bytes.count, 8) {
      let position = layout.isBigEndian ? bytes.count - 1 - index : index
      value |= UInt64(bytes[position]) << UInt64(8 * index)
    }
    return value
  }

  /// Copies the memory that was read.
  private func copyMemory(
    to pages: inout DumpPages, _ result: inout ScrubbedDump, _ mask: DumpTextMask
  ) {
    guard let memory = report.memory else { return }
    result.memoryBytes = memory.regions.reduce(0) { $0 + $1.bytes.count }
    // Reads overlap: each byte is counted once.
    var done: UInt64 = 0
    for read in reads.sorted(by: { ($0.address, $0.size) < ($1.address, $1.size) }) {
      var address = read.address
      var left = read.size
      while left > 0, let region = memory.region(at: address) {
        let start = Int(address - region.start)
        let part = region.bytes.clamped(start..<start.addingClamped(left))
        guard !part.isEmpty, let offset = part.offset(in: bytes) else { break }
        let text = read.isText ? mask.masked(part.array) : nil
        if text != nil { result.maskedTexts += 1 }
        pages.put(text.map { ByteView($0) } ?? part, at: offset)
        let end = address + UInt64(part.count)
        if end > done {
          result.keptMemoryBytes += Int(end - max(done, address))
          done = end
        }
        left -= part.count
        address = end
      }
    }
  }
}
