internal import Bytes
internal import CrashModel
internal import Identifiers

/// The processor that a minidump was written on.
///
/// Source: `MD_CPU_ARCHITECTURE_*` in Breakpad, `src/google_breakpad/common/minidump_format.h`.
struct MinidumpProcessor: Hashable, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  static let x86 = Self(rawValue: 0)
  static let mips = Self(rawValue: 1)
  static let ppc = Self(rawValue: 3)
  static let arm = Self(rawValue: 5)
  static let amd64 = Self(rawValue: 9)
  static let x86OnWindows64 = Self(rawValue: 10)
  static let arm64 = Self(rawValue: 12)
  static let sparc = Self(rawValue: 0x8001)
  static let ppc64 = Self(rawValue: 0x8002)
  /// The value of Breakpad before it adopted that of Windows.
  static let oldARM64 = Self(rawValue: 0x8003)
  static let mips64 = Self(rawValue: 0x8004)
  static let riscv32 = Self(rawValue: 0x8005)
  static let riscv64 = Self(rawValue: 0x8006)

  var architecture: Architecture? {
    switch self {
    case .x86, .x86OnWindows64: .i386
    case .mips: .mips
    case .ppc: .ppc
    case .arm: .arm
    case .amd64: .x86_64
    case .arm64, .oldARM64: .arm64
    case .sparc: .sparc
    case .ppc64: .ppc64
    case .mips64: .mips64
    case .riscv32: .riscv32
    case .riscv64: .riscv64
    default: nil
    }
  }

  /// The size of an address, in bytes.
  var addressSize: Int {
    switch self {
    case .amd64, .arm64, .oldARM64, .ppc64, .mips64, .riscv64: 8
    default: 4
    }
  }
}

/// The system that a minidump was written on.
///
///     OFFSET  SIZE  FIELD
///          0     2  processor
///          6     1  number of processors
///          8    12  version: major, minor, build
///         20     4  platform
///         24     4  offset of a text: service pack, macOS build, `uname`
///
/// Source: MINIDUMP_SYSTEM_INFO in minidumpapiset.h; platforms beside Windows: `MD_OS_*` in Breakpad,
/// `src/google_breakpad/common/minidump_format.h`.
struct MinidumpSystem {
  enum Family {
    case windows, apple, linux, other
  }

  let processor: MinidumpProcessor
  let family: Family
  let os: OperatingSystem
  init(_ stream: ByteView, in file: MinidumpFile) throws(ParseError) {
    var reader = ByteReader(
      stream.bytes, reading: "system of the minidump", endianness: file.endianness)
    processor = MinidumpProcessor(rawValue: try reader.read(UInt16.self))
    try reader.seek(to: 8)
    let major = try reader.read(UInt32.self)
    let minor = try reader.read(UInt32.self)
    let build = try reader.read(UInt32.self)
    let platform = try reader.read(UInt32.self)
    let text = file.wideText(at: UInt64(try reader.read(UInt32.self))) ?? ""
    let version = "\(major).\(minor).\(build)"
    switch platform {
    case 1, 2, 3:
      family = .windows
      os = OperatingSystem(
        name: "Windows", version: version, build: text.isEmpty ? nil : text)
    case 0x8101, 0x8102:
      family = .apple
      os = OperatingSystem(
        name: platform == 0x8101 ? "macOS" : "iOS",
        version: build == 0 ? "\(major).\(minor)" : version, build: text.isEmpty ? nil : text)
    case 0x8201, 0x8203:
      family = .linux
      os = Self.linux(
        name: platform == 0x8201 ? "Linux" : "Android", major | minor | build == 0 ? nil : version,
        text)
    default:
      family = .other
      let name = [
        0x8000: "Unix", 0x8202: "Solaris", 0x8204: "PS3", 0x8205: "NaCl", 0x8206: "Fuchsia",
      ][platform]
      os = OperatingSystem(name: name, version: version, build: text.isEmpty ? nil : text)
    }
  }

  /// Breakpad gives the version only in the text `Linux 3.13.0-24-generic #46-Ubuntu SMP ... x86_64`.
  private static func linux(name: String, _ version: String?, _ text: String) -> OperatingSystem {
    let words = text.split(separator: " ").map(String.init)
    guard version == nil else {
      return OperatingSystem(name: name, version: version, build: text.isEmpty ? nil : text)
    }
    guard words.count > 1 else { return OperatingSystem(name: name) }
    var build = Array(words[2...])
    // `x86_64`, or `x86_64 GNU/Linux` as uname prints it.
    if build.last?.contains("/") == true { build.removeLast() }
    if !build.isEmpty { build.removeLast() }
    return OperatingSystem(
      name: name, version: words[1], build: build.isEmpty ? nil : build.joined(separator: " "))
  }
}
