/// The kind of a file by its first bytes: the one table of such marks.
///
/// A mark that is short, or that texts may begin with too, counts only with what its specification
/// demands after it.
public enum FileMagic: Equatable, Sendable, CaseIterable {
  // Packed.
  case zip, emptyZip, sevenZip, tar, gzip, bzip2, xz, zstd, lz4, zlib
  // Programs and debug information.
  case elf, machO, universalMachO, staticLibrary, windowsProgram, pdb, oldPDB, portablePDB
  case embeddedPortablePDB, webAssembly
  // Memory of processes and of systems.
  case elfCore, machOCore, minidump, bigEndianMinidump, windowsKernelDump
  // Others.
  case plCrashReport, binaryPropertyList, utf16, javaClass

  /// How many bytes of the start are looked at.
  public static let headSize = 512

  /// - Parameter head: The first ``headSize`` bytes, or all there are.
  public init?(of head: ByteView) {
    if let mark = Self.marks.first(where: { head.starts(with: $0.0) }) {
      self = mark.1
    } else if let magic = Self.object(head) ?? Self.packed(head) {
      self = magic
    } else {
      return nil
    }
  }

  /// Whether the members of such a file, or what is compressed in it, can be read here.
  public var isArchive: Bool {
    switch self {
    case .zip, .emptyZip, .tar, .gzip, .bzip2, .xz, .zstd, .lz4: true
    default: false
    }
  }

  /// Whether it is the memory of a process.
  public var isDump: Bool {
    switch self {
    case .elfCore, .machOCore, .minidump, .bigEndianMinidump: true
    default: false
    }
  }

  /// Whether it is a program or its debug information: nothing that crashed.
  public var isDebugFile: Bool {
    switch self {
    case .elf, .machO, .universalMachO, .staticLibrary, .windowsProgram, .pdb, .oldPDB,
      .portablePDB, .embeddedPortablePDB, .webAssembly:
      true
    default: false
    }
  }

  /// Marks that stand for themselves.
  private static let marks: [([UInt8], FileMagic)] = [
    // APPNOTE.TXT, sections 4.3.7, 4.3.16 and 8.5.3: a member, the end of an empty archive, a split
    // one.
    ([0x50, 0x4b, 3, 4], .zip), ([0x50, 0x4b, 5, 6], .emptyZip), ([0x50, 0x4b, 7, 8], .zip),
    ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], .sevenZip),  // 7zFormat.txt, "Signature"
    ([0x1f, 0x8b, 8], .gzip),  // RFC 1952, section 2.3.1; deflate is the only method
    ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], .xz),  // The .xz File Format, section 2.1.1.1
    ([0x28, 0xb5, 0x2f, 0xfd], .zstd),  // RFC 8878, section 3.1.1
    ([4, 0x22, 0x4d, 0x18], .lz4),  // LZ4 Frame Format Description, "General Structure"
    ([0, 0x61, 0x73, 0x6d], .webAssembly),  // WebAssembly Core Specification, section 5.5.16
    (Array("!<arch>\n".utf8), .staticLibrary),  // ar(5)
    // LLVM, "The MSF File Format".
    (Array("Microsoft C/C++ MSF 7.00\r\n\u{1a}DS\0\0\0".utf8), .pdb),
    (Array("Microsoft C/C++ program database 2.00\r\n\u{1a}JG".utf8), .oldPDB),
    (Array("BSJB".utf8), .portablePDB),  // ECMA-335, section II.24.2.1
    (Array("MPDB".utf8), .embeddedPortablePDB),  // PE-COFF.md of dotnet/runtime
    (Array("MDMP".utf8), .minidump), (Array("PMDM".utf8), .bigEndianMinidump),  // minidumpapiset.h
    (Array("PAGEDUMP".utf8), .windowsKernelDump), (Array("PAGEDU64".utf8), .windowsKernelDump),
    (Array("plcrash".utf8), .plCrashReport),  // PLCrashReportFormat: PLCRASH_REPORT_FILE_MAGIC
    (Array("bplist00".utf8), .binaryPropertyList),
    ([0xff, 0xfe], .utf16), ([0xfe, 0xff], .utf16),
  ]

  // MARK: Programs

  private static func object(_ head: ByteView) -> FileMagic? {
    guard head.count >= 4 else { return nil }
    switch number(head, at: 0, size: 4) {
    case 0x7f45_4c46:
      // e_ident[EI_DATA] 2 is big-endian; e_type 4 is ET_CORE. Source: System V ABI, "ELF Header".
      let isBig = head.count > 5 && head[5] == 2
      return number(head, at: 16, size: 2, isBig: isBig) == 4 ? .elfCore : .elf
    // filetype 4 is MH_CORE. Source: mach-o/loader.h.
    case 0xfeed_face, 0xfeed_facf: return number(head, at: 12, size: 4) == 4 ? .machOCore : .machO
    case 0xcefa_edfe, 0xcffa_edfe:
      return number(head, at: 12, size: 4, isBig: false) == 4 ? .machOCore : .machO
    case 0xcafe_babe:
      // A Java class begins alike: the lower half of the number is its major version, of which 45
      // was the first. Sources: mach-o/fat.h; The Java Virtual Machine Specification, section 4.1.
      guard let count = number(head, at: 4, size: 4) else { return nil }
      if (1...mostSlices).contains(count) { return .universalMachO }
      return count & 0xffff > mostSlices ? .javaClass : nil
    case 0xcafe_babf:  // FAT_MAGIC_64
      guard let count = number(head, at: 4, size: 4) else { return nil }
      return (1...mostSlices).contains(count) ? .universalMachO : nil
    default: break
    }
    return isWindowsProgram(head) ? .windowsProgram : nil
  }

  /// Slices of a universal file that are believed: with one more it would be a Java class.
  public static let mostSlices: UInt64 = 44
  /// How far after the start of a PE file its header may begin.
  public static let dosStubBytes = 1 << 16

  /// "MZ", and where byte 60 leads to, as far as it is there, "PE" and two zeros. Programs of
  /// MS-DOS have something else there. Source: Microsoft, "PE Format", MS-DOS stub.
  private static func isWindowsProgram(_ head: ByteView) -> Bool {
    guard head.starts(with: [0x4d, 0x5a]), let start = number(head, at: 60, size: 4, isBig: false),
      (4...UInt64(dosStubBytes)).contains(start)
    else { return false }
    let offset = Int(start)
    guard offset <= head.count - 4 else { return true }
    return head.clamped(offset..<(offset + 4)).starts(with: [0x50, 0x45, 0, 0])
  }

  private static func number(
    _ head: ByteView, at offset: Int, size: Int, isBig: Bool = true
  ) -> UInt64? {
    guard head.count >= offset + size else { return nil }
    return (0..<size).reduce(0) { sum, index in
      sum << 8 | UInt64(head[offset + (isBig ? index : size - 1 - index)])
    }
  }

  // MARK: Packed

  private static func packed(_ head: ByteView) -> FileMagic? {
    if isBzip2(head) { return .bzip2 }
    if isSkippableZstd(head) { return .zstd }
    if isTar(head) { return .tar }
    return isZlib(head) ? .zlib : nil
  }

  /// "BZh", the block size as a digit, then the mark of a block or of the end: texts may begin with
  /// the first three.
  private static func isBzip2(_ head: ByteView) -> Bool {
    guard head.count >= 10, head.starts(with: [0x42, 0x5a, 0x68]) else { return false }
    let mark = head.clamped(4..<10)
    return (0x31...0x39).contains(head[3])
      && (mark.starts(with: [0x31, 0x41, 0x59, 0x26, 0x53, 0x59])
        || mark.starts(with: [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]))
  }

  /// A frame to be skipped, which some writers put first. Source: RFC 8878, section 3.1.2.
  private static func isSkippableZstd(_ head: ByteView) -> Bool {
    head.count >= 4 && head[0] & 0xf0 == 0x50
      && head.clamped(1..<4).starts(with: [0x2a, 0x4d, 0x18])
  }

  /// A deflate stream with a window of 32 KiB, its two bytes a multiple of 31. The first of them is
  /// an "x". Source: RFC 1950, section 2.2.
  private static func isZlib(_ head: ByteView) -> Bool {
    guard head.count >= 2, head[0] == 0x78 else { return false }
    return [1, 0x5e, 0x9c, 0xda].contains(head[1])
  }

  /// A tar header has no magic in its oldest form, but always a sum over its 512 bytes, with its
  /// own eight bytes taken as blanks. Source: POSIX.1-2017, pax, "ustar Interchange Format".
  private static func isTar(_ head: ByteView) -> Bool {
    guard head.count >= headSize, head[0] != 0 else { return false }
    var stored = 0
    for index in 148..<156 {
      let byte = head[index]
      switch byte {
      case 0x30...0x37: stored = stored << 3 | Int(byte - 0x30)
      case 0, 0x20: continue
      default: return false
      }
    }
    var sum = 0
    for index in 0..<headSize { sum += (148..<156).contains(index) ? 0x20 : Int(head[index]) }
    return sum == stored
  }
}
