internal import CElf
internal import Glibc

/// libelf's facts about the file on standard input: its sections, the symbols that have a place in
/// code, and the build id.
enum ELFReference {
  static func write(to output: inout ReferenceOutput, limits: ReferenceLimits) {
    guard elf_version(UInt32(EV_CURRENT)) != UInt32(EV_NONE) else { return }
    guard let elf = elf_begin(0, ELF_C_READ, nil) else {
      output.problem(at: 0, "libelf: \(message())")
      return
    }
    defer { elf_end(elf) }
    guard elf_kind(elf) == ELF_K_ELF else {
      output.problem(at: 0, "libelf: not an ELF file")
      return
    }
    var stringSection = 0
    guard elf_getshdrstrndx(elf, &stringSection) == 0 else {
      output.problem(at: 0, "libelf: \(message())")
      return
    }
    var section: OpaquePointer?
    while let next = elf_nextscn(elf, section) {
      section = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil else { continue }
      output.begin(.section)
      output.put(
        elf_strptr(elf, stringSection, Int(header.sh_name)), limit: limits.nameLength)
      output.put(header.sh_addr)
      output.put(header.sh_size)
      switch Int32(bitPattern: header.sh_type) {
      case SHT_SYMTAB, SHT_DYNSYM: writeSymbols(of: next, header, elf, to: &output, limits)
      case SHT_NOTE: writeBuildID(of: next, to: &output)
      default: break
      }
    }
  }

  private static func writeSymbols(
    of section: OpaquePointer, _ header: GElf_Shdr, _ elf: OpaquePointer,
    to output: inout ReferenceOutput, _ limits: ReferenceLimits
  ) {
    guard header.sh_entsize > 0, let data = elf_getdata(section, nil) else { return }
    let count = min(data.pointee.d_size / Int(clamping: header.sh_entsize), Int(Int32.max))
    for index in 0..<count {
      var symbol = GElf_Sym()
      guard gelf_getsym(data, Int32(index), &symbol) != nil else { return }
      guard isInCode(symbol, elf),
        let name = elf_strptr(elf, Int(header.sh_link), Int(symbol.st_name)), name.pointee != 0
      else { continue }
      output.begin(.symbol)
      output.put(name, limit: limits.nameLength)
      output.put(symbol.st_value)
      output.put(symbol.st_size)
      output.put(UInt64(symbol.st_info & 0xf))
    }
  }

  /// Whether a symbol names code, by the flags of its section: the value alone may be an offset in another.
  private static func isInCode(_ symbol: GElf_Sym, _ elf: OpaquePointer) -> Bool {
    // Undefined ones have no place here, and absolute ones none at all.
    guard symbol.st_shndx != SHN_UNDEF else { return false }
    guard symbol.st_shndx < SHN_LORESERVE else { return symbol.st_shndx == SHN_XINDEX }
    var header = GElf_Shdr()
    guard let section = elf_getscn(elf, Int(symbol.st_shndx)), gelf_getshdr(section, &header) != nil
    else { return false }
    return header.sh_flags & GElf_Xword(SHF_EXECINSTR) != 0
  }

  private static func writeBuildID(of section: OpaquePointer, to output: inout ReferenceOutput) {
    guard let data = elf_getdata(section, nil), let start = data.pointee.d_buf else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: data.pointee.d_size)
    var offset = 0
    while offset < bytes.count {
      var note = GElf_Nhdr()
      var name = 0
      var content = 0
      let next = gelf_getnote(data, offset, &note, &name, &content)
      guard next > offset else { return }
      offset = next
      // Source: NT_GNU_BUILD_ID of elf.h, with the owner "GNU".
      let end = content.addingReportingOverflow(Int(note.n_descsz))
      guard note.n_type == 3, note.n_namesz == 4, name <= bytes.count - 4, !end.overflow,
        end.partialValue <= bytes.count, bytes[name..<name + 4].elementsEqual("GNU\0".utf8)
      else { continue }
      output.begin(.buildID)
      output.put(bytes: UnsafeRawBufferPointer(rebasing: bytes[content..<end.partialValue]))
    }
  }

  private static func message() -> String {
    elf_errmsg(elf_errno()).map { String(cString: $0) } ?? "cannot be read"
  }
}
