extension NameBytes {
  /// Whether it is not a function's name but something that a tool wrote instead: a library's file, a line of
  /// assembler, an address, the number of an export.
  var isNoFunction: Bool {
    if contains(UInt8(ascii: "(")) || contains(0x20) { return false }
    return isLibraryFile || isAssemblerLine || isBareAddress || isExportNumber
      || Self.boundaries.contains(self)
  }

  /// Symbols for the start and end of a file's sections, after which code of stripped programs is named.
  private static let boundaries: Set<NameBytes> = Set(
    [
      "_etext", "__etext", "_edata", "__bss_start", "_mh_execute_header", "__mh_execute_header",
      "__executable_start", "__dso_handle", "_mh_dylib_header", "__ImageBase",
    ].map { NameBytes($0.utf8) })

  /// `libpthread.so.0`, `/lib64/libc.so.6+0x90890`, Fuchsia's `libc.so,0x169bc`, `libdispatch.dylib`.
  private var isLibraryFile: Bool {
    if ends(with: ".dylib") || ends(with: ".dll") || ends(with: ".DLL") { return true }
    if let mark = find(",0x"), mark > 0, self[(mark + 3)...].allSatisfy({ $0.isHexDigit }) {
      return true
    }
    guard let mark = findLast(".so"), mark > 0 else { return false }
    let rest = self[(mark + 3)...]
    return has("/") && !rest.contains(UInt8(ascii: ":"))
      || rest.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
  }

  /// `memcpy-ssse3-back.S:1702`
  private var isAssemblerLine: Bool {
    guard let mark = findLast(".S:"), mark > 0, mark + 3 < count else { return false }
    return self[(mark + 3)...].allSatisfy { $0.isDigit }
  }

  /// `00000001028d885c`
  private var isBareAddress: Bool {
    (count == 16 || count == 8 && at(0) == UInt8(ascii: "0")) && allSatisfy { $0.isHexDigit }
      && contains { $0.isDigit }
  }

  /// `Ordinal101`
  private var isExportNumber: Bool {
    has("Ordinal") && count > 7 && self[7...].allSatisfy { $0.isDigit }
  }
}
