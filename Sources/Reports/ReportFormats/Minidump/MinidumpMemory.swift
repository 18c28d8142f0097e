internal import Bytes
internal import CrashModel

/// The memory that a minidump holds: that of its lists, and the stacks that its threads name.
struct MinidumpMemory {
  private(set) var regions: [ProcessMemory.Region] = []

  /// - Parameter file: The file; gets notes about missing parts.
  init(_ file: inout MinidumpFile) {
    var missing = readFullList(file)
    missing += readList(file)
    if missing > 0 {
      file.note("\(missing) regions of memory lie outside the minidump, which may be cut off")
    }
  }

  /// `MINIDUMP_MEMORY64_LIST`: a count, the offset of the first bytes, then address and size of each region;
  /// their bytes lie one after the other.
  ///
  /// - Returns: The number of regions that are not in the file.
  private mutating func readFullList(_ file: MinidumpFile) -> Int {
    guard let stream = file[.memory64List],
      let count = file.number(stream, at: 0, as: UInt64.self),
      var offset = file.number(stream, at: 8, as: UInt64.self)
    else { return 0 }
    let fitting = min(
      Int(clamping: count), (stream.count - 16) / 16, MinidumpFile.Limits.regions)
    var missing = 0
    for index in 0..<max(0, fitting) {
      guard let start = file.number(stream, at: 16 + index * 16, as: UInt64.self),
        let size = file.number(stream, at: 24 + index * 16, as: UInt64.self)
      else { break }
      let from = Int(clamping: offset)
      let bytes = file.bytes.clamped(from..<from.addingClamped(Int(clamping: size)))
      if UInt64(bytes.count) < size { missing += 1 }
      if !bytes.isEmpty { regions.append(.init(start: start, bytes: bytes)) }
      let (next, overflow) = offset.addingReportingOverflow(size)
      if overflow { break }
      offset = next
    }
    return missing
  }

  /// `MINIDUMP_MEMORY_LIST`: address, size and offset of each region.
  private mutating func readList(_ file: MinidumpFile) -> Int {
    var missing = 0
    for entry in file.entries(of: .memoryList, size: 16, limit: MinidumpFile.Limits.regions).list {
      guard let start = file.number(entry, at: 0, as: UInt64.self),
        let size = file.number(entry, at: 8, as: UInt32.self),
        let offset = file.number(entry, at: 12, as: UInt32.self)
      else { break }
      if !add(start, size, offset, file) { missing += 1 }
    }
    return missing
  }

  /// Adds the part of memory at an offset of the file.
  ///
  /// - Returns: Whether the file has it.
  @discardableResult
  mutating func add(
    _ start: UInt64, _ size: UInt32, _ offset: UInt32, _ file: MinidumpFile
  ) -> Bool {
    guard size > 0 else { return true }
    guard let bytes = file.part(at: offset, size: size) else { return false }
    regions.append(.init(start: start, bytes: bytes))
    return true
  }
}
