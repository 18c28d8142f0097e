internal import Bytes
internal import CrashModel

/// The memory mappings of a process in its minidump: from the memory information of Windows and Crashpad, or
/// from the text of `/proc/PID/maps`.
struct MinidumpMappings {
  private(set) var list: [MemoryMapping] = []
  /// Whether nothing was cut off.
  private(set) var isComplete = false

  init(_ file: MinidumpFile) {
    readInformation(file)
    if list.isEmpty, let text = file[.linuxMaps] { readMaps(text) }
  }

  /// An entry:
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0     8  base
  ///         24     8  size
  ///         32     4  state
  ///         36     4  protection
  ///
  /// Source: MINIDUMP_MEMORY_INFO in minidumpapiset.h.
  private mutating func readInformation(_ file: MinidumpFile) {
    let (entries, count) = file.sizedEntries(
      of: .memoryInfoList, needed: 40, hasWideCount: true, limit: MinidumpFile.Limits.mappings)
    for entry in entries {
      guard let start = file.number(entry, at: 0, as: UInt64.self),
        let size = file.number(entry, at: 24, as: UInt64.self),
        let state = file.number(entry, at: 32, as: UInt32.self),
        let protection = file.number(entry, at: 36, as: UInt32.self)
      else { break }
      list.append(
        MemoryMapping(
          start: start, end: start + min(size, .max - start),
          protection: Self.protection(protection), state: Self.state(state, protection)))
    }
    isComplete = !list.isEmpty && list.count == count
  }

  /// Source: `PAGE_*` in winnt.h.
  private static func protection(_ flags: UInt32) -> MemoryMapping.Protection {
    switch flags & 0xff {
    case 0x02: .read
    case 0x04, 0x08: [.read, .write]
    case 0x10: .execute
    case 0x20: [.read, .execute]
    case 0x40, 0x80: [.read, .write, .execute]
    default: []
    }
  }

  /// Source: `MEM_*` and PAGE_GUARD in winnt.h.
  private static func state(_ state: UInt32, _ protection: UInt32) -> MemoryMapping.State {
    switch state {
    case 0x1_0000: .free
    case 0x2000: .reserved
    default: protection & 0x100 != 0 ? .guarded : .mapped
    }
  }

  /// `7ffc1000-7ffc2000 rw-p 00000000 00:00 0    [stack]`, a line each.
  ///
  /// Source: proc_pid_maps(5).
  private mutating func readMaps(_ text: ByteView) {
    let part = text.clamped(0..<MinidumpFile.Limits.mapsBytes).array
    let lines = part.split(separator: UInt8(ascii: "\n"))
    for line in lines.prefix(MinidumpFile.Limits.mappings) {
      let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
      guard fields.count >= 2 else { continue }
      let range = fields[0].split(separator: UInt8(ascii: "-"))
      guard range.count == 2, let start = Self.hexadecimal(range[0]),
        let end = Self.hexadecimal(range[1])
      else { continue }
      var protection: MemoryMapping.Protection = []
      for letter in fields[1] {
        switch letter {
        case UInt8(ascii: "r"): protection.insert(.read)
        case UInt8(ascii: "w"): protection.insert(.write)
        case UInt8(ascii: "x"): protection.insert(.execute)
        default: break
        }
      }
      let name = fields.count > 5 ? String(decoding: fields[5].trimmed, as: UTF8.self) : ""
      list.append(
        MemoryMapping(
          start: start, end: end, protection: protection, name: name.isEmpty ? nil : name))
    }
    // The kernel ends every line.
    isComplete =
      part.count == text.count && list.count == lines.count && part.last == UInt8(ascii: "\n")
  }

  private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt64? {
    UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }
}

extension ArraySlice<UInt8> {
  /// The bytes without leading blanks.
  fileprivate var trimmed: ArraySlice<UInt8> { drop { $0 == UInt8(ascii: " ") } }
}
