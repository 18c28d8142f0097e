internal import Bytes

/// The section `.opd` of 64-bit PowerPC's first ABI: a function's symbol points at a descriptor whose
/// first word is the address of the code.
///
/// Source: 64-bit PowerPC ELF ABI Supplement 1.9, "Function Descriptors".
struct ELFFunctionDescriptors {
  let range: Range<UInt64>
  private let bytes: ByteView
  private let endianness: Endianness

  init?(file: ELFFile) {
    guard file.header.machine == ELFMachine.ppc64, let index = file.index(named: ".opd") else {
      return nil
    }
    let section = file.sections[index]
    let end = section.address.addingReportingOverflow(section.size)
    guard !end.overflow, let bytes = try? file.bytes(of: section) else { return nil }
    range = section.address..<end.partialValue
    self.bytes = bytes
    endianness = file.endianness
  }

  /// `nil` where the descriptor's bytes are not in this file.
  func code(at address: UInt64) -> UInt64? {
    guard
      let word = try? bytes.slice(
        at: address - range.lowerBound, count: 8, of: "function descriptor")
    else { return nil }
    var reader = ByteReader(word.bytes, reading: "function descriptor", endianness: endianness)
    return try? reader.read(UInt64.self)
  }
}
