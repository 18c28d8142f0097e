internal import Bytes

/// Tells programs and debug information from crash reports by their first bytes.
enum ObjectMagic {
  /// Whether a file that begins with `head` (20 bytes suffice) is an ELF or Mach-O file, other than
  /// the memory of a process that crashed, or a library of such files.
  static func isObject(_ head: ByteView) -> Bool {
    guard head.count >= 20 else { return false }
    let four =
      UInt32(head[0]) << 24 | UInt32(head[1]) << 16 | UInt32(head[2]) << 8 | UInt32(head[3])
    switch four {
    case 0x7f45_4c46:  // ELF; e_type 4 is ET_CORE. Source: System V ABI, "ELF Header".
      let type = head[5] == 2 ? (head[16], head[17]) : (head[17], head[16])
      return type != (0, 4)
    case 0xfeed_face, 0xfeed_facf: return head[15] != 4  // Mach-O, big-endian; 4 is MH_CORE
    case 0xcefa_edfe, 0xcffa_edfe: return head[12] != 4  // Source: mach-o/loader.h.
    case 0xcafe_babe, 0xcafe_babf:
      // Universal; a Java class begins alike, with a version of 45 and more where the count stands.
      return head[4] == 0 && head[5] == 0 && head[6] == 0 && head[7] < 40
    case 0x213c_6172: return head.starts(with: "!<arch>\n".utf8.map { $0 })
    default: return false
    }
  }
}
